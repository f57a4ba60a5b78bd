/** WH4: the waits after the first failures in a row; hourly after that. */
const delaysMs = [5, 15, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
const hourMs = 3_600_000;
/** Each wait is up to 20 % shorter or longer, so that an endpoint does not get all retries at once after an outage. */
const jitter = 0.2;
/** Upper limit of `Retry-After`. */
const maxRetryAfterMs = hourMs;
/** No attempt is further away. */
export const maxRetryWaitMs = hourMs * (1 + jitter);
/** How long a delivery is tried. */
export const patienceMs = 24 * hourMs;

/** HTTP's current date format (RFC 9110, section 5.6.7). `Date.parse` accepts almost any text. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export interface Failure {
  now: number;
  /** Attempts so far, this one included. */
  attempts: number;
  /** When the delivery is given up, milliseconds since 1970. */
  deadline: number;
  /** The wait that the endpoint asked for. */
  retryAfterMs: number | undefined;
  /** In [0, 1). */
  fraction: number;
}

/** The time of the next attempt, milliseconds since 1970. The last one is at the deadline; undefined after it. */
export function nextAttemptAt({ now, attempts, deadline, retryAfterMs = 0, fraction }: Failure): number | undefined {
  if (now >= deadline) return undefined;
  const delayMs = delaysMs[attempts - 1] ?? hourMs;
  const jittered = Math.round(delayMs * (1 - jitter + 2 * jitter * fraction));
  return Math.min(now + Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs)), deadline);
}

/** The wait that the header asks for, in milliseconds: seconds, or a date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
