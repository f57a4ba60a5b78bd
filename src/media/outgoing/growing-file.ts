import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { OutgoingFile } from '../../telegram/port/outgoing.ts';

/** The size of a file, present or announced, and a way to wait for its bytes while it is downloaded. */
export type Growing = Pick<OutgoingFile, 'size' | 'reach'>;

/** Called with the number of readable bytes and the announced size; never called if no size is announced. */
export type OnGrowth = (bytes: number, announced: number) => void;

/** Downloads a file and returns its size. */
type Fetch = (signal: LightAbortSignal, onGrowth: OnGrowth) => Promise<number>;

interface Waiting {
  bytes: number;
  settle: (error?: unknown) => void;
}

/**
 * Passes a file to `use` as soon as its size is announced, or else once it is complete. When this returns, the download
 * has ended in any case.
 * @throws why the download failed, the signal's reason, and errors of `use`
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

  /** The last byte counts once the whole file is known to be complete. */
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
