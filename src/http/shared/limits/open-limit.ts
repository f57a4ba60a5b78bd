import { GatewayError } from '../../../errors/gateway-error.ts';

const retryAfterSeconds = 5;

/** Limits how many responses of a kind are open at a time, for each key. */
export class OpenLimit {
  readonly #max: number;
  readonly #message: string;
  readonly #open = new Map<string, number>();

  constructor(max: number, message: string) {
    this.#max = max;
    this.#message = message;
  }

  /** @returns closes it; calling it again does nothing. @throws {GatewayError} 429 */
  enter(key: string): () => void {
    const before = this.#open.get(key) ?? 0;
    if (before >= this.#max) throw new GatewayError(429, this.#message, retryAfterSeconds);
    this.#open.set(key, before + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}
