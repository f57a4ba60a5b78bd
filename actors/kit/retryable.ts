/**
 * Whether doing the same again can succeed, because a store, a server or Telegram is away. Every retry loop asks it before
 * it retries. An error says so itself, by `readonly retryable = true` in its class. Every other error is terminal: a broken
 * seal, a value that JSON has no form for, a fault of the program would fail in the same way each time.
 */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'retryable' in error && error.retryable === true;

/**
 * How long the other side asks to wait before the next try, in milliseconds; 0 if it asks for nothing. An error says so by
 * `readonly retryAfterMs` in its class.
 */
export const retryAfterMsOf = (error: unknown): number =>
  error instanceof Error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0;
