import { setTimeout as pause } from 'node:timers/promises';

/** What a lane does next. It has nothing left, it goes on at once, or it tries again after this time in milliseconds. */
export type LaneStep = 'empty' | 'next' | number;

/** The number of lanes that run at the same time. */
const maxBusyLanes = 8;

/**
 * Runs the steps of each lane in order. A lane is a chat in one direction: what fails holds up its own chat alone.
 */
export class Lanes<Key> {
  readonly #step: (lane: Key) => Promise<LaneStep>;
  readonly #running = new Map<Key, { isWoken: boolean; done: Promise<void> }>();
  readonly #stop = new AbortController();
  #busy = 0;
  readonly #queue: (() => void)[] = [];

  constructor(step: (lane: Key) => Promise<LaneStep>) {
    this.#step = step;
  }

  /** Something is there for the lane. */
  wake(lane: Key): void {
    if (this.#stop.signal.aborted) return;
    const running = this.#running.get(lane);
    if (running !== undefined) {
      running.isWoken = true;
      return;
    }
    const state = { isWoken: false, done: Promise.resolve() };
    this.#running.set(lane, state);
    state.done = this.#run(lane, state);
  }

  /** Ends after the steps that are under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const go of this.#queue.splice(0)) go();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #run(lane: Key, state: { isWoken: boolean }): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      state.isWoken = false;
      await this.#enter();
      const step = signal.aborted ? 'empty' : await this.#step(lane).finally(() => this.#leave());
      if (step === 'empty' && !state.isWoken) break;
      if (typeof step === 'number') await pause(step, undefined, { signal }).catch(() => {});
    }
    this.#running.delete(lane);
  }

  async #enter(): Promise<void> {
    this.#busy += 1;
    if (this.#busy > maxBusyLanes) await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    this.#busy -= 1;
    this.#queue.shift()?.();
  }
}
