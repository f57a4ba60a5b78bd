/**
 * Whether doing the same again can succeed, because a store, a server or Telegram is away. Every retry loop asks it before
 * it retries. An error says so itself, by `readonly retryable = true` in its class. Every other error is terminal: a broken
 * seal, a value that JSON has no form for, a fault of the program would fail in the same way each time.
 */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'retryable' in error && error.retryable === true;
