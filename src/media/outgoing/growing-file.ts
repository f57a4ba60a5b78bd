import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { OutgoingFile } from '../../telegram/port/outgoing.ts';

/** How large a file is or will be, and, while it is still on its way, how to wait for what of it can be read. */
export type Growing = Pick<OutgoingFile, 'size' | 'reach'>;

/** Told how many bytes, of how many announced, can be read; never called where no size is announced. */
export type OnGrowth = (bytes: number, announced: number) => void;

/** Gets a file, and returns its size. */
type Fetch = (signal: LightAbortSignal, onGrowth: OnGrowth) => Promise<number>;

interface Waiting {
  bytes: number;
  settle: (error?: unknown) => void;
}

/**
 * Lends a file out as soon as it is known how large it will be, or once it is there. When this returns, the fetching has
 * ended, whoever failed.
 * @throws why it could not be had, the signal's reason, and whatever `use` throws
 */
export async function withGrowingFile<T>(
  fetch: Fetch,
  signal: LightAbortSignal,
  use: (file: Growing) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stop = new LightAbort();
  const follow = (): void => stop.abort(signal.reason as Error);
  signal.addEventListener('abort', follow, { once: true });
  const growth = new Growth();
  const fetched = fetch(stop, (bytes, announced) => growth.grow(bytes, announced)).then(
    (size) => growth.end(size),
    (error: unknown) => growth.fail(error),
  );
  try {
    return await use(await growth.begun);
  } finally {
    stop.abort(new Error('the file is no longer wanted'));
    await fetched;
    signal.removeEventListener('abort', follow);
  }
}

class Growth {
  /** Once the size is known. */
  readonly begun: Promise<Growing>;
  #begin: (file: Growing) => void = () => undefined;
  #refuse: (error: unknown) => void = () => undefined;
  #readable = 0;
  #announced = 0;
  #failure: { error: unknown } | undefined;
  readonly #waiting = new Set<Waiting>();

  constructor() {
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
  }

  /** The last byte counts when the whole is known to be right. */
  grow(bytes: number, announced: number): void {
    this.#announced = announced;
    this.#readable = Math.min(bytes, announced - 1);
    this.#begin({ size: announced, reach: (wanted, signal) => this.#reach(wanted, signal) });
    this.#serve();
  }

  end(size: number): void {
    this.#readable = Infinity;
    this.#begin({ size });
    this.#serve();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#refuse(error);
    for (const { settle } of this.#waiting) settle(error);
  }

  #reach(bytes: number, signal: LightAbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiting.settle(signal.reason);
      const waiting: Waiting = {
        bytes: Math.min(bytes, this.#announced),
        settle: (error) => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', onAbort);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      if (this.#failure !== undefined) return waiting.settle(this.#failure.error);
      if (signal.aborted) return onAbort();
      this.#waiting.add(waiting);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#serve();
    });
  }

  #serve(): void {
    for (const { bytes, settle } of this.#waiting) if (bytes <= this.#readable) settle();
  }
}
