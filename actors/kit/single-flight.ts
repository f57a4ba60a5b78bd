import { LightAbort, type LightAbortSignal } from './light-abort.ts';

interface Flight<T> {
  result: Promise<T>;
  callers: number;
  stop: LightAbort;
}

/** Shares one run of the work among all callers that ask for the same key at the same time. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /**
   * The result of the work in flight under the key, or of work begun now. The work is aborted when its last caller has
   * left.
   * @throws the signal's reason, at once; the other callers still get the result
   */
  get(key: string, work: (signal: LightAbortSignal) => Promise<T>, signal: LightAbortSignal): Promise<T> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.callers += 1;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#leave(key, flight);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  #start(key: string, work: (signal: LightAbortSignal) => Promise<T>): Flight<T> {
    const stop = new LightAbort();
    const flight: Flight<T> = { result: work(stop), callers: 0, stop };
    this.#flights.set(key, flight);
    const end = (): void => this.#end(key, flight);
    flight.result.then(end, end);
    return flight;
  }

  #leave(key: string, flight: Flight<T>): void {
    flight.callers -= 1;
    if (flight.callers > 0) return;
    this.#end(key, flight);
    flight.stop.abort(new Error('no caller is left'));
  }

  #end(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
