import type { SessionStats } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { epochMs, formatCount, formatDateTime, formatTime } from '../parts/format.ts';
import { connectedPath, connectedRange, plotHeight, plotWidth } from './history-plot.ts';
import { type StatsWindow, windowNames } from './overview-window.ts';

interface Props {
  history: NonNullable<SessionStats['history']>;
  window: StatsWindow;
}

/** How many sessions were connected over the window; a mark below where logins were lost. */
export function SessionsOverTime({ history, window }: Props) {
  const { lowest, highest, now } = connectedRange(history);
  const losses = history.filter(({ lost }) => lost > 0);
  const lost = losses.reduce((sum, one) => sum + one.lost, 0);
  const start = history[0]?.at ?? '';
  const spanMs = epochMs(history.at(-1)?.at ?? '') - epochMs(start);
  const words = `Connected sessions in ${windowNames[window]}: ${lowest} to ${highest}, now ${now}. ${formatCount(lost, 'login')} lost.`;
  return (
    <Card title="Connected sessions" id="sessions-over-time">
      <div class="over-time">
        <p class="over-time-scale muted" aria-hidden="true">
          <span>{highest > 0 && highest}</span>
          <span>0</span>
        </p>
        <svg viewBox={`0 0 ${plotWidth} ${plotHeight}`} preserveAspectRatio="none" role="img" aria-label={words}>
          <path class="connected-area" d={`${connectedPath(history)} V${plotHeight} H0 Z`} />
          <path class="connected-line" d={connectedPath(history)} />
        </svg>
        <ol class="loss-marks" aria-label="Logins lost">
          {losses.map((one) => (
            <li
              key={one.at}
              style={{ left: `${(100 * (epochMs(one.at) - epochMs(start))) / spanMs}%` }}
              title={`${formatDateTime(one.at)}: ${formatCount(one.lost, 'login')} lost`}
            >
              <span class="visually-hidden">{`${formatTime(one.at)}: ${one.lost}`}</span>
            </li>
          ))}
        </ol>
        <p class="reason-times">
          <span>{formatTime(start)}</span>
          <span>Now: {now}</span>
        </p>
      </div>
    </Card>
  );
}
