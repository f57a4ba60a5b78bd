/** WH4: how long to wait after the first failure, the second, and so on; after the last of these, hourly. */
const delaysMs = [5, 15, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
const hourMs = 3_600_000;
/** Each wait is up to 20 % shorter or longer, so that an endpoint that is back does not get all requests at once. */
const jitter = 0.2;
/** How much of what `Retry-After` asks for is granted. */
const maxRetryAfterMs = hourMs;
/** How long a delivery is tried. */
export const patienceMs = 24 * hourMs;

/** The one form of a date that HTTP still has (RFC 9110, section 5.6.7). `Date.parse` takes almost anything. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export interface Failure {
  now: number;
  /** Attempts so far, this one included. */
  attempts: number;
  /** When it is given up, milliseconds since 1970. */
  deadline: number;
  /** How long the endpoint asked to wait. */
  retryAfterMs: number | undefined;
  /** In [0, 1). */
  fraction: number;
}

/** When to try again, milliseconds since 1970. The last attempt is at the deadline; undefined after it. */
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
