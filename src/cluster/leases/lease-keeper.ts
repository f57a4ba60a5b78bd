import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import type { ClusterMeter } from '../cluster-meter.ts';
import { Handover } from '../handover/handover.ts';
import type { OwnedPart } from '../owned-part.ts';
import type { Circumstances } from '../placement.ts';
import { Lease, type LeaseDeps } from './lease.ts';
import { leasePrefix } from './lease-codec.ts';

export interface LeaseKeeperDeps extends Omit<LeaseDeps, 'onRenewed' | 'log' | 'clock'> {
  clock: Clock;
  log: Log;
  meter: ClusterMeter;
  crashed: LightAbortSignal;
  /** Whether a partition can be given to the node. */
  takesShare: (name: string) => boolean;
}

/**
 * A partition in this process.
 * - `away`: no part has it
 * - `taking`, `here`: the lease is held, and the parts take it or have taken it
 * - `leaving`: the parts release it; the lease is held for as long as it is not lost
 */
interface Slot {
  readonly lease: Lease;
  phase: 'away' | 'taking' | 'here' | 'leaving';
  /** Of the lease with which the parts have it. If the lease has another one, it was lost. */
  epoch: number | undefined;
  /** The release of a partition that was lost while it was leaving. */
  losing: Promise<void> | undefined;
  /** It is not taken before that, by the clock's `elapsed()`. */
  notBefore: number;
  /** How its lease became free, and when. */
  takenFrom: { how: 'released' | 'expired'; since: number };
}

/** A partition on its way to the node that it is placed on. */
interface Move {
  slot: Slot;
  to: string;
  startedAt: number;
}

/** Takes leases, renews and releases them, and has the parts take and release the partitions. */
export class LeaseKeeper {
  readonly #deps: LeaseKeeperDeps;
  readonly #slots: readonly Slot[];
  readonly #handover: Handover;
  #move: Move | undefined;
  #moveNotBefore = -Infinity;
  #isStopping = false;
  #stopped: (() => void) | undefined;

  constructor(deps: LeaseKeeperDeps, partitions: number) {
    this.#deps = deps;
    const { clock, crashed, log, meter, times } = deps;
    const leaseDeps = { ...deps, onRenewed: (ms: number) => meter.renewed(ms) };
    this.#slots = Array.from({ length: partitions }, (_, partition) => ({
      lease: new Lease(leaseDeps, partition),
      phase: 'away',
      epoch: undefined,
      losing: undefined,
      notBefore: -Infinity,
      takenFrom: { how: 'released', since: 0 },
    }));
    this.#handover = new Handover({
      clock,
      gatherMs: times.gatherMs,
      isMoreToCome: () => this.#slots.some(({ phase, lease }) => phase === 'away' && lease.isBusy),
      crashed,
      log,
      onTaken: (numbers) => this.#taken(numbers),
      onFailed: (numbers) => this.#failed(numbers),
    });
  }

  register(part: OwnedPart): void {
    this.#handover.register(part);
  }

  get leases(): readonly Lease[] {
    return this.#slots.map(({ lease }) => lease);
  }

  /** Whether this process may act for the partition at this instant. */
  owns(partition: number): boolean {
    const slot = this.#slots[partition];
    return slot?.epoch !== undefined && slot.epoch === slot.lease.epoch && slot.lease.isOwned;
  }

  epochOf(partition: number): number | undefined {
    return this.owns(partition) ? this.#slots[partition]?.epoch : undefined;
  }

  /** Whether all parts have the partition. */
  serves(partition: number): boolean {
    return this.#slots[partition]?.phase === 'here' && this.owns(partition);
  }

  /** The other node that holds the partition. */
  holderOf(partition: number): string | undefined {
    return this.#slots[partition]?.lease.otherHolder;
  }

  /** The numbers of the partitions for which the test is true. */
  which(test: (partition: number) => boolean): number[] {
    return this.#slots.map(({ lease }) => lease.partition).filter(test);
  }

  /** An event of a stream `lease-…`. */
  see(recorded: RecordedEvent): void {
    this.#slots[Number(recorded.stream.slice(leasePrefix.length))]?.lease.see(recorded);
  }

  /** Does what is to be done now. To be called at {@link dueAt}, and after each change. */
  step(circumstances: Circumstances): void {
    for (const { lease } of this.#slots) lease.keep();
    this.#noteLosses();
    this.#handOver();
    if (circumstances.mayTake) {
      this.#takeFree(circumstances);
      this.#moveOne(circumstances);
    }
    if (this.#isStopping && this.#isIdle) this.#stopped?.();
  }

  /** By the clock's `elapsed()`. */
  dueAt(circumstances: Circumstances): number {
    const keepAt = Math.min(...this.#slots.map(({ lease }) => lease.keepAt));
    if (!circumstances.mayTake) return keepAt;
    const takeAt = Math.min(...this.#slots.map((slot) => this.#takeAt(slot, circumstances)));
    return Math.min(keepAt, takeAt, this.#moveAt(circumstances));
  }

  /** Gives all partitions up, also those that it has lost, and takes none any more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const here = this.#slots.filter(({ phase }) => phase === 'taking' || phase === 'here');
    const away = this.#slots.filter(({ phase }) => phase === 'away');
    if (here.length > 0) void this.#leave(here, false);
    await Promise.all(away.map(({ lease }) => lease.release()));
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
  }

  /** Has the parts release what they have as if it were lost: no release of a lease can be recorded. */
  abandon(): Promise<void> {
    return this.#handover.release(partitionsOf(this.#slots.filter(({ phase }) => phase !== 'away')), true);
  }

  /** Whether the parts have every partition whose lease is held or asked for. */
  get isSettled(): boolean {
    return this.#slots.every(
      ({ phase, lease }) => phase !== 'taking' && !(phase === 'away' && (lease.isBusy || lease.epoch !== undefined)),
    );
  }

  get #isIdle(): boolean {
    return this.#slots.every(({ phase, lease }) => phase === 'away' && !lease.isBusy && lease.epoch === undefined);
  }

  #noteLosses(): void {
    const lost = this.#slots.filter((slot) => slot.epoch !== undefined && slot.epoch !== slot.lease.epoch);
    const fresh = lost.filter(({ losing }) => losing === undefined);
    if (fresh.length === 0) return;
    this.#deps.log.warn({ partitions: partitionsOf(fresh) }, 'partitions were lost');
    for (const _ of fresh) this.#deps.meter.lost();
    const leaving = fresh.filter(({ phase }) => phase === 'leaving');
    const others = fresh.filter(({ phase }) => phase !== 'leaving');
    const losing = this.#handover.release(partitionsOf(leaving), true);
    for (const slot of leaving) slot.losing = losing;
    if (others.length > 0) void this.#leave(others, true);
  }

  /** Gives the parts what was taken. */
  #handOver(): void {
    const taken = this.#slots.filter(({ phase, lease }) => phase === 'away' && lease.epoch !== undefined);
    for (const slot of taken) {
      if (this.#isStopping) {
        void slot.lease.release();
        continue;
      }
      slot.phase = 'taking';
      slot.epoch = slot.lease.epoch;
    }
    if (!this.#isStopping) this.#handover.take(partitionsOf(taken));
  }

  #takeFree(circumstances: Circumstances): void {
    const now = this.#deps.clock.elapsed();
    for (const slot of this.#slots) {
      if (now < this.#takeAt(slot, circumstances)) continue;
      const { holder, seenAt = now } = slot.lease.end ?? {};
      slot.takenFrom = { how: holder === undefined ? 'released' : 'expired', since: seenAt };
      slot.lease.take();
    }
  }

  /** The first in the order of placement takes a free lease at once, the others a moment later each. */
  #takeAt({ phase, lease, notBefore }: Slot, { placements, reachableSince }: Circumstances): number {
    if (phase !== 'away' || lease.isBusy || this.#isStopping) return Infinity;
    const place = placements.of(lease.partition).indexOf(this.#deps.self);
    if (place < 0) return Infinity;
    return Math.max(Math.max(lease.freeAt, reachableSince) + place * this.#deps.times.placeMs, notBefore);
  }

  /** The node that the partition is placed on, if it is another one that takes partitions. */
  #targetOf({ phase, lease }: Slot, { placements }: Circumstances): string | undefined {
    const [first] = placements.of(lease.partition);
    if (phase !== 'here' || first === undefined || first === this.#deps.self) return undefined;
    return this.#deps.takesShare(first) ? first : undefined;
  }

  #moveOne(circumstances: Circumstances): void {
    const now = this.#deps.clock.elapsed();
    if (this.#move !== undefined) this.#watchMove(this.#move, now);
    if (this.#move !== undefined || this.#isStopping || now < this.#moveNotBefore) return;
    for (const slot of this.#slots) {
      const to = this.#targetOf(slot, circumstances);
      if (to === undefined) continue;
      this.#move = { slot, to, startedAt: now };
      void this.#leave([slot], false);
      return;
    }
  }

  /** The next one follows when the other node has taken this one. If it does not, it is left alone for a life. */
  #watchMove({ slot, to, startedAt }: Move, now: number): void {
    const { lifeMs, moveMs } = this.#deps.times;
    const holder = slot.lease.otherHolder;
    if (slot.phase === 'leaving' || (slot.phase === 'away' && holder === undefined && now < startedAt + lifeMs)) return;
    this.#move = undefined;
    this.#moveNotBefore = now + (holder === to ? moveMs : lifeMs);
  }

  #moveAt(circumstances: Circumstances): number {
    if (this.#isStopping || this.#move?.slot.phase === 'leaving') return Infinity;
    if (this.#move !== undefined) return this.#move.startedAt + this.#deps.times.lifeMs;
    const isPlaced = this.#slots.every((slot) => this.#targetOf(slot, circumstances) === undefined);
    return isPlaced ? Infinity : this.#moveNotBefore;
  }

  async #leave(slots: readonly Slot[], isLost: boolean): Promise<void> {
    for (const slot of slots) {
      slot.phase = 'leaving';
      if (isLost) slot.losing = Promise.resolve();
    }
    this.#deps.onChange();
    if (isLost) await this.#release(slots, true);
    else await this.#handover.asTheyFinish(slots, (finished) => this.#release(finished, false));
  }

  /** To be called when they are `leaving`. */
  async #release(slots: readonly Slot[], isLost: boolean): Promise<void> {
    // One that was lost meanwhile is being released already.
    const held = slots.filter(({ losing }) => isLost || losing === undefined);
    await this.#handover.release(partitionsOf(held), isLost);
    await Promise.all(
      slots.map(async (slot) => {
        await slot.losing;
        const { epoch, lease } = slot;
        slot.epoch = undefined;
        // A late renewal of a lost lease would make the others wait for a life.
        if (epoch === lease.epoch || this.#isStopping) await lease.release();
        slot.phase = 'away';
        slot.losing = undefined;
      }),
    );
    this.#deps.onChange();
  }

  #taken(partitions: readonly number[]): void {
    const now = this.#deps.clock.elapsed();
    for (const partition of partitions) {
      const slot = this.#slots[partition];
      if (slot?.phase !== 'taking') continue;
      slot.phase = 'here';
      this.#deps.meter.tookOver(slot.takenFrom.how, now - slot.takenFrom.since);
    }
    // All of a batch may have been given up while they were taken.
    if (partitions.length > 0) this.#deps.log.info({ partitions }, 'partitions were taken');
    this.#deps.onChange();
  }

  #failed(partitions: readonly number[]): void {
    const slots = this.#slots.filter(({ lease, phase }) => phase === 'taking' && partitions.includes(lease.partition));
    for (const slot of slots) slot.notBefore = this.#deps.clock.elapsed() + this.#deps.times.lifeMs;
    void this.#leave(slots, false);
  }
}

const partitionsOf = (slots: readonly Slot[]): number[] => slots.map(({ lease }) => lease.partition);
