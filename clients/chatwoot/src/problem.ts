/** Why a request did not succeed, and whether the same request may succeed later. */
export class Problem extends Error {
  override name = 'Problem';
  readonly isRetryable: boolean;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  /** The gateway's `x-error-code`; empty if there is none. */
  readonly code: string;

  constructor(
    message: string,
    facts: { isRetryable: boolean; status?: number; retryAfterMs?: number | undefined; code?: string },
  ) {
    super(message);
    this.isRetryable = facts.isRetryable;
    this.status = facts.status ?? 0;
    this.retryAfterMs = facts.retryAfterMs;
    this.code = facts.code ?? '';
  }
}

/** `Retry-After` in seconds, as milliseconds. */
export function retryAfterMsOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/**
 * `fetch` whose failures are {@link Problem}s: no response is one that can be retried. Any response is returned.
 * @param what for messages: never a URL, which may hold a secret
 */
export async function fetchFrom(what: string, url: string, options: RequestInit, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])]);
  try {
    return await fetch(url, { ...options, signal });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Problem(`no response from ${what}: ${cause}`, { isRetryable: true });
  }
}

/** The body as JSON. @throws {Problem} that can be retried, if it breaks off or is none */
export async function jsonOf<T>(what: string, response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new Problem(`${what} sent no JSON`, { isRetryable: true, status: response.status });
  }
}
