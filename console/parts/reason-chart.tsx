import { formatTime } from './format.ts';

/** A session was lost, disconnected or deleted. */
export interface Interruption {
  /** Milliseconds since 1970. */
  at: number;
  reason: string;
}

const barCount = 24;
const height = 88;
const width = 480;
const barGap = 4;

/** The most frequent reasons have a colour each. All others share the last one. */
const colourCount = 5;
/** A shorter span would draw interruptions of one second as if they were far apart. */
const minSpanMs = 60_000;

/** Interruptions over time, as bars stacked by reason, with a legend that has the counts. */
export function ReasonChart({ interruptions, empty }: { interruptions: readonly Interruption[]; empty: string }) {
  if (interruptions.length === 0) return <p class="muted">{empty}</p>;
  const counts = new Map<string, number>();
  for (const { reason } of interruptions) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const colourOf = (reason: string): number => Math.min(reasons.indexOf(reason), colourCount - 1);
  const first = Math.min(...interruptions.map(({ at }) => at));
  const last = Math.max(...interruptions.map(({ at }) => at));
  const span = Math.max(last - first, minSpanMs);
  const bars = Array.from({ length: barCount }, (): number[] => Array.from({ length: colourCount }, () => 0));
  for (const { at, reason } of interruptions) {
    const bar = bars[Math.min(barCount - 1, Math.floor(((at - first) / span) * barCount))];
    if (bar) bar[colourOf(reason)] = (bar[colourOf(reason)] ?? 0) + 1;
  }
  const highestBar = Math.max(...bars.map((bar) => bar.reduce((sum, count) => sum + count, 0)));
  const barWidth = width / barCount - barGap;
  const summary = reasons.map((reason) => `${reason}: ${counts.get(reason)}`).join(', ');
  return (
    <div class="reason-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Total: ${interruptions.length}. ${summary}`}
      >
        <line class="baseline" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {bars.map((bar, index) => {
          let top = height - 1;
          return bar.map((count, colour) => {
            const size = (count / highestBar) * (height - 6);
            top -= size;
            const x = index * (barWidth + barGap);
            return (
              count > 0 && (
                <rect
                  key={`${index} ${colour}`}
                  class={`reason-${colour}`}
                  x={x}
                  y={top}
                  width={barWidth}
                  height={size}
                  rx={2}
                />
              )
            );
          });
        })}
      </svg>
      <p class="reason-times">
        <span>{formatTime(new Date(first).toISOString())}</span>
        <span>{formatTime(new Date(first + span).toISOString())}</span>
      </p>
      <ul class="legend">
        {reasons.map((reason) => (
          <li key={reason}>
            <span class={`swatch reason-${colourOf(reason)}`} aria-hidden="true" />
            <span>{reason}</span>
            <span class="count">{counts.get(reason)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
