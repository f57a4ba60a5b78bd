import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import type { DrivenClock } from '../../kit/clock.ts';

interface NodeTimer extends TimerHandle {
  readonly callback: () => void;
  timer: TimerHandle | undefined;
  isOver: boolean;
}

/** The clock of one process: too fast or too slow, and the process may stand still while the time goes on. */
export class NodeClock implements Clock {
  readonly #world: DrivenClock;
  readonly #rate: number;
  readonly #wallAheadMs: number;
  #waiting: (() => void)[] = [];
  isPaused = false;
  isDead = false;

  /** @param rate 1.1: it goes 10 % too fast */
  constructor(world: DrivenClock, rate: number, wallAheadMs: number) {
    this.#world = world;
    this.#rate = rate;
    this.#wallAheadMs = wallAheadMs;
  }

  readonly now = (): number => this.#world.now() + this.#wallAheadMs;

  elapsed(): number {
    return (this.#world.elapsed() + 2 ** 37) * this.#rate;
  }

  setTimeout(callback: () => void, delayMs: number): TimerHandle {
    const handle: NodeTimer = { dueAt: this.elapsed() + delayMs, callback, timer: undefined, isOver: false };
    if (delayMs === Infinity) return handle;
    handle.timer = this.#world.setTimeout(() => this.run(() => this.#fire(handle)), Math.max(0, delayMs) / this.#rate);
    return handle;
  }

  clearTimeout(handle: TimerHandle): void {
    const timer = handle as NodeTimer;
    timer.isOver = true;
    if (timer.timer !== undefined) this.#world.clearTimeout(timer.timer);
  }

  /** Runs what reaches the process: at once, when it goes on, or never. */
  run(work: () => void): void {
    if (this.isDead) return;
    if (this.isPaused) this.#waiting.push(work);
    else work();
  }

  pause(): void {
    this.isPaused = true;
  }

  /** What has reached the process meanwhile comes one after the other. */
  resume(): void {
    this.isPaused = false;
    for (const work of this.#waiting.splice(0)) this.#world.setTimeout(() => this.run(work), 0);
  }

  #fire(timer: NodeTimer): void {
    if (timer.isOver) return;
    timer.isOver = true;
    timer.callback();
  }
}
