import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { finishAll, type OwnedPart } from '../owned-part.ts';
import { PartitionSet } from '../partitions.ts';
import { releaseAsTheyFinish } from './as-they-finish.ts';

/**
 * What is under way in a partition may take so long before the partition is released. Nearly every call to Telegram is
 * answered in 50 ms. The rest of the 1.5 s of CL4.3 is for closing the sessions and for the next owner: 0.4 to 1 s on a busy machine.
 */
const maxFinishMs = 400;

/** Longer than a store takes for the leases of a node that has ended, also on a busy machine. */
const maxGatherMs = 300;

export interface HandoverDeps {
  clock: Clock;
  /** A taken partition waits this long, in milliseconds, so that those that follow it are taken in the same batch. */
  gatherMs: number;
  /** Whether leases of more partitions are being taken: they are waited for too, but for no longer than 0.3 seconds. */
  isMoreToCome: () => boolean;
  /** The process ends without another word. */
  crashed: LightAbortSignal;
  log: Pick<Log, 'error'>;
  /** All parts have taken them. */
  onTaken: (partitions: readonly number[]) => void;
  /** A part could not take them. */
  onFailed: (partitions: readonly number[]) => void;
}

/** Partitions that the parts are taking. One that is released before they have taken it is removed from the batch. */
interface Batch {
  partitions: PartitionSet;
  ended: Promise<void>;
}

/** Hands partitions to the parts of the gateway, and takes them back. */
export class Handover {
  readonly #deps: HandoverDeps;
  readonly #parts: OwnedPart[] = [];
  readonly #waiting = new Set<number>();
  #batch: Batch | undefined;
  #isHanding = false;

  constructor(deps: HandoverDeps) {
    this.#deps = deps;
  }

  /** The part takes behind those that are there, and releases before them. */
  register(part: OwnedPart): void {
    this.#parts.push(part);
  }

  /** Hands partitions to all parts, one part after the other. Those that come while others are taken are one batch. */
  take(partitions: readonly number[]): void {
    for (const partition of partitions) this.#waiting.add(partition);
    if (this.#isHanding || partitions.length === 0) return;
    this.#isHanding = true;
    void this.#handAll();
  }

  /**
   * Has all parts finish what is under way in these partitions, and releases each when nothing is any more: see
   * {@link releaseAsTheyFinish}.
   */
  asTheyFinish<T extends { readonly lease: { readonly partition: number } }>(
    items: readonly T[],
    release: (items: readonly T[]) => Promise<void>,
  ): Promise<void> {
    const finish = ({ lease }: T): Promise<void> | undefined => finishAll(this.#parts, lease.partition);
    return releaseAsTheyFinish({ ...this.#deps, maxMs: maxFinishMs, finish, release }, items);
  }

  /**
   * Has all parts release partitions, also while they take them. Resolves when taking and releasing have ended. May be called
   * again for partitions that turn out to be lost.
   */
  async release(numbers: readonly number[], isLost: boolean): Promise<void> {
    const known = numbers.filter((partition) => !this.#waiting.delete(partition));
    const batch = this.#batch;
    const wereInBatch = known.filter((partition) => batch?.partitions.remove(partition));
    if (known.length > 0) await this.#releaseParts(known, isLost);
    if (wereInBatch.length > 0) await batch?.ended;
  }

  /** One part after the other; if they are lost, all at once: no connection stays open while another part ends. */
  async #releaseParts(numbers: readonly number[], isLost: boolean): Promise<void> {
    const partitions = new PartitionSet(numbers);
    const release = async (part: OwnedPart): Promise<void> => {
      try {
        await part.release(partitions, isLost);
      } catch (err) {
        this.#deps.log.error({ where: 'sessions', partitions: numbers, err }, 'partitions could not be released');
      }
    };
    const parts = this.#parts.toReversed();
    if (isLost) await Promise.all(parts.map(release));
    else for (const part of parts) await release(part);
  }

  async #handAll(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#deps.crashed.aborted) {
      await this.#gather();
      const partitions = new PartitionSet(this.#waiting);
      this.#waiting.clear();
      this.#batch = { partitions, ended: this.#hand(partitions) };
      await this.#batch.ended;
      this.#batch = undefined;
    }
    this.#isHanding = false;
  }

  /**
   * A batch keeps the process busy: what is taken next to it takes longer. So the sessions of a node that has ended are back sooner
   * in one batch, though the first of them wait for the others.
   */
  async #gather(): Promise<void> {
    const { clock, gatherMs, crashed, isMoreToCome } = this.#deps;
    const until = clock.elapsed() + maxGatherMs;
    do await sleep(clock, gatherMs, crashed).catch(() => {});
    while (isMoreToCome() && clock.elapsed() < until && !crashed.aborted);
  }

  async #hand(partitions: PartitionSet): Promise<void> {
    if (partitions.numbers.length === 0 || this.#deps.crashed.aborted) return;
    try {
      for (const part of this.#parts) {
        if (partitions.numbers.length > 0) await part.take(partitions);
      }
      this.#deps.onTaken(partitions.numbers);
    } catch (err) {
      // If all were released before the parts had taken them, the failure has no effect.
      const { numbers } = partitions;
      if (numbers.length === 0) return;
      this.#deps.log.error({ where: 'sessions', partitions: numbers, err }, 'partitions could not be taken');
      this.#deps.onFailed(numbers);
    }
  }
}
