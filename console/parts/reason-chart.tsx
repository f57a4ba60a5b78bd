import { time } from './format.ts';

export interface Ended {
  /** Milliseconds since 1970. */
  at: number;
  reason: string;
}

const barCount = 24;
const height = 88;
const width = 480;
const barGap = 4;

/** As many colours as can be told apart; the rest share the last one. */
const colours = 5;

/** How often, when and why: bars over time, stacked by reason, with a legend that has the numbers. */
export function Reasons({ ended, empty }: { ended: readonly Ended[]; empty: string }) {
  if (ended.length === 0) return <p class="quiet">{empty}</p>;
  const counts = new Map<string, number>();
  for (const { reason } of ended) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const colourOf = (reason: string): number => Math.min(reasons.indexOf(reason), colours - 1);
  const first = Math.min(...ended.map(({ at }) => at));
  const last = Math.max(...ended.map(({ at }) => at));
  const span = Math.max(last - first, 60_000);
  const bars = Array.from({ length: barCount }, (): number[] => Array.from({ length: colours }, () => 0));
  for (const { at, reason } of ended) {
    const bar = bars[Math.min(barCount - 1, Math.floor(((at - first) / span) * barCount))];
    if (bar) bar[colourOf(reason)] = (bar[colourOf(reason)] ?? 0) + 1;
  }
  const most = Math.max(...bars.map((bar) => bar.reduce((sum, count) => sum + count, 0)));
  const barWidth = width / barCount - barGap;
  const words = reasons.map((reason) => `${reason}: ${counts.get(reason)}`).join(', ');
  return (
    <div class="reasons">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${ended.length} times. ${words}`}
      >
        <line class="base" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {bars.map((bar, index) => {
          let top = height - 1;
          return bar.map((count, colour) => {
            const size = (count / most) * (height - 6);
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
      <p class="reasons-times">
        <span>{time(new Date(first).toISOString())}</span>
        <span>{time(new Date(first + span).toISOString())}</span>
      </p>
      <ul class="legend">
        {reasons.map((reason) => (
          <li key={reason}>
            <span class={`key reason-${colourOf(reason)}`} aria-hidden="true" />
            <span class="legend-name">{reason}</span>
            <span class="count">{counts.get(reason)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
