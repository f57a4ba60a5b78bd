import { setMaxListeners } from 'node:events';

/**
 * As much of an `AbortSignal` as is listened to here, and every one of those fits. Making a real one costs more than
 * the rest of what surrounds a request: {@link LightAbort} is for those that are made for each.
 */
export interface LightAbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** @throws the reason */
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** For what takes nothing but an `AbortSignal`: any number may listen, where Node takes eleven for a leak and says so. */
export function abortForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal together with what sets it off. */
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
