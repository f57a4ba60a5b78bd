import type { Clock } from '../../actors/ports/clock.ts';

/**
 * The time of a line of the log, in ISO 8601, as pino puts it into the line. What lines of one second have in common is
 * made once: otherwise the time takes as long as the rest of a line.
 */
export function lineTime(clock: Pick<Clock, 'now'>): () => string {
  let second = Number.NaN;
  let untilSecond = '';
  return () => {
    const now = Math.floor(clock.now());
    const ms = ((now % 1000) + 1000) % 1000;
    if (now - ms !== second) {
      second = now - ms;
      untilSecond = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `,"time":"${untilSecond}${String(ms).padStart(3, '0')}Z"`;
  };
}
