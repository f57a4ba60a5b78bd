/** How soon after a break the first new attempt may be: soon, but not 300 sessions in the same millisecond. */
const firstRetryMs = 500;
const shortestMs = 1_000;
const longestMs = 60_000;

/**
 * How long to wait before the next attempt (SE8): at once after the first failure, then 1 s to 60 s, exponential with
 * full jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), for as long as it takes.
 *
 * @param failures how many attempts in a row have failed; 0 right after a connection broke
 * @param fraction chance, in [0, 1)
 */
export function retryDelayMs(failures: number, fraction: number): number {
  if (failures === 0) return Math.round(firstRetryMs * fraction);
  const ceilingMs = Math.min(longestMs, shortestMs * 2 ** Math.min(failures, 10));
  return Math.round(shortestMs + fraction * (ceilingMs - shortestMs));
}
