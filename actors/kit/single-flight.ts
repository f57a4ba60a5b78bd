import { LightAbort, type LightAbortSignal } from './light-abort.ts';

interface Running<T> {
  result: Promise<T>;
  wantedBy: number;
  stop: LightAbort;
}

/** Work that is done once for all who want the same at the same time, and stopped when none of them wants it any more. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Running<T>>();

  /** @throws the signal's reason at once when aborted; the others go on */
  get(key: string, work: (signal: LightAbortSignal) => Promise<T>, signal: LightAbortSignal): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, work);
    running.wantedBy += 1;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#leave(key, running);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      running.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  #start(key: string, work: (signal: LightAbortSignal) => Promise<T>): Running<T> {
    const stop = new LightAbort();
    const running: Running<T> = { result: work(stop), wantedBy: 0, stop };
    this.#running.set(key, running);
    const end = (): void => this.#end(key, running);
    running.result.then(end, end);
    return running;
  }

  #leave(key: string, running: Running<T>): void {
    running.wantedBy -= 1;
    if (running.wantedBy > 0) return;
    this.#end(key, running);
    running.stop.abort(new Error('nobody wants it any more'));
  }

  #end(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}
