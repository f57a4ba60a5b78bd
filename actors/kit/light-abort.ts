/**
 * The part of `AbortSignal` that this code uses; every real signal fits. A real one costs more than the rest of what
 * surrounds a request, and 650 bytes: {@link LightAbort} is for signals that are created for each request or session.
 */
export interface LightAbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** @throws the reason */
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The reason of an aborted signal as an error. The platform's `AbortSignal` allows any value as a reason.
 */
function reasonOf({ reason }: LightAbortSignal): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

/** @throws the reason of the first signal that is already aborted */
export function throwIfAborted(signals: readonly (LightAbortSignal | undefined)[]): void {
  for (const signal of signals) if (signal?.aborted) throw reasonOf(signal);
}

/**
 * Calls `listener` once, with the reason of the first of the signals to be aborted from now on.
 * @returns a function that stops listening; calling it again does nothing
 */
export function onFirstAbort(
  signals: readonly (LightAbortSignal | undefined)[],
  listener: (reason: Error) => void,
): () => void {
  const stopListening = (): void => {
    for (const signal of signals) signal?.removeEventListener('abort', onAbort);
  };
  const onAbort = (): void => {
    stopListening();
    const aborted = signals.find((signal) => signal?.aborted);
    // Stryker disable next-line ConditionalExpression: one of them has called this
    if (aborted !== undefined) listener(reasonOf(aborted));
  };
  for (const signal of signals) signal?.addEventListener('abort', onAbort);
  return stopListening;
}

/** A signal that its owner can abort. */
export class LightAbort implements LightAbortSignal {
  #reason: Error | undefined;
  #listeners: Set<() => void> | undefined;

  /** Listeners are called once, in their order. Only the first reason counts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#reason !== undefined) return;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }
}
