import type { DrivenClock } from '../../kit/clock.ts';
import type { Chance } from '../chance.ts';

/** A request that is not lost arrives this late at most. */
const maxLateMs = 30_000;
/** Who gets no answer tries again after a second of its own clock, or less. */
const maxRetryMs = 1_200;

/** What goes wrong between the nodes and the store, by chance. */
export class Trouble {
  readonly #world: DrivenClock;
  readonly #chance: Chance;
  readonly #count: (name: string) => void;
  readonly #cut = new Set<string>();
  readonly #waiting: { node: string; resolve: () => void }[] = [];
  #isOut = false;
  /** Of a hundred requests, so many have another fate than usual. */
  noise = 0;
  /** Subscriptions that are not back yet. */
  deaf = 0;
  #lastLateAt = -Infinity;

  constructor(world: DrivenClock, chance: Chance, count: (name: string) => void) {
    this.#world = world;
    this.#chance = chance;
    this.#count = count;
  }

  /** When the last request that is late, or arrives again, arrives. */
  get lastLateAt(): number {
    return this.#lastLateAt;
  }

  /** A call was given up: its caller tries again a moment later. */
  gaveUp(): void {
    this.#lastLateAt = Math.max(this.#lastLateAt, this.#world.elapsed() + maxRetryMs);
  }

  get isCalm(): boolean {
    return !this.#isOut && this.#cut.size === 0 && this.noise === 0 && this.deaf === 0;
  }

  isAway(node: string): boolean {
    return this.#isOut || this.#cut.has(node);
  }

  /** Resolves when the node reaches the store again. */
  back(node: string): Promise<void> {
    if (!this.isAway(node)) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push({ node, resolve }));
  }

  outage(isOut: boolean): void {
    this.#isOut = isOut;
    this.#wake();
  }

  cut(node: string, isCut: boolean): void {
    if (isCut) this.#cut.add(node);
    else this.#cut.delete(node);
    this.#wake();
  }

  /** Whether a request arrives, even if its answer does not. */
  reachesStore(node: string): boolean {
    return !this.isAway(node);
  }

  /** An answer is lost while the store is away, and now and then. */
  isAnswerLost(node: string): boolean {
    if (this.isAway(node)) return true;
    if (!this.#chance.percent(this.noise / 4)) return false;
    this.#count('answer lost');
    return true;
  }

  /** How late a request arrives, each time that it does. */
  fateOf(): number[] {
    if (!this.#chance.percent(this.noise)) return [0];
    const fate = this.#chance.oneOf(['lost', 'late', 'twice', 'slow'] as const);
    this.#count(`request ${fate}`);
    if (fate === 'lost') return [];
    const lateMs = this.#chance.between(1, fate === 'slow' ? 3_000 : maxLateMs);
    this.#lastLateAt = Math.max(this.#lastLateAt, this.#world.elapsed() + lateMs + 100);
    return fate === 'twice' ? [0, lateMs] : [lateMs];
  }

  #wake(): void {
    for (const waiting of this.#waiting.splice(0)) {
      if (this.isAway(waiting.node)) this.#waiting.push(waiting);
      else waiting.resolve();
    }
  }
}
