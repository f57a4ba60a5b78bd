import type { Clock } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { ClusterNode } from '../cluster.ts';
import { type LeaseTimes, leaseTimes } from '../leases/lease-times.ts';
import { Placements } from '../placement.ts';
import { type LeaseRevisions, type NodeState, nodeCodec, nodePrefix } from './node-codec.ts';

/** Another node. */
interface Member {
  /** Undefined if the node is known by its lease alone. */
  node: ClusterNode | undefined;
  state: NodeState | 'left' | undefined;
  /** The longer of its life and this process's. */
  lifeMs: number;
  /** In time that this process has listened, milliseconds. */
  heardAt: number;
  /** By the clock's `elapsed()`. */
  heardAtMs: number;
  /** When {@link Members.late} names it the next time, in time that this process has listened. */
  lateAt: number;
  /** When a heartbeat should have come that tells all its leases, in the same time. */
  overdueAt: number;
}

/** A heartbeat of another node. */
interface Heard {
  name: string;
  /** Life of its leases, milliseconds. */
  lifeMs: number;
  leases: LeaseRevisions | undefined;
  /** Whether the node was not there before. */
  isNew: boolean;
}

interface LateNode {
  name: string;
  /** Whether a whole heartbeat should have come; otherwise one did, and did not tell all leases of the node. */
  isOverdue: boolean;
}

interface HeardNode {
  node: ClusterNode;
  /** Milliseconds. */
  heardOfMsAgo: number;
}

export interface MembersDeps {
  clock: Pick<Clock, 'elapsed'>;
  reportUnreadable: ReportUnreadable;
  times: LeaseTimes;
  self: ClusterNode;
}

/** Of the time between two events, this share of the time between two heartbeats counts as listening. */
const listenedShare = 1.25;

/**
 * The other nodes, as heard through the subscription. A node that is silent for a life counts as gone. Only time in which
 * this process heard anything counts, at least its own heartbeats: after the store was away, everyone is as present as
 * before.
 */
export class Members {
  readonly #deps: MembersDeps;
  readonly #members = new Map<string, Member>();
  readonly #maxGapMs: number;
  #listenedMs = 0;
  /** Until then it may hear old heartbeats: it had heard nothing for longer than it can while it listens. */
  #catchesUpUntil = -Infinity;
  #lastEventAt: number;
  #placements = new Placements([]);
  #wasReadable = true;

  constructor(deps: MembersDeps) {
    this.#deps = deps;
    this.#maxGapMs = deps.times.renewMs * listenedShare;
    this.#lastEventAt = deps.clock.elapsed();
  }

  /** An event came through the subscription. */
  listened(): void {
    const elapsed = this.#deps.clock.elapsed();
    const wasDeaf = elapsed - this.#lastEventAt > this.#maxGapMs;
    this.#listenedMs = this.#now();
    this.#lastEventAt = elapsed;
    if (wasDeaf) this.#catchesUpUntil = this.#listenedMs + this.#deps.times.lateMs;
  }

  /** An event of a node's stream. @returns undefined unless it is a heartbeat of another node */
  hear(recorded: RecordedEvent): Heard | undefined {
    const name = recorded.stream.slice(nodePrefix.length);
    const { self, reportUnreadable, clock, times } = this.#deps;
    if (name === self.name) return undefined;
    const event = nodeCodec.decode(recorded);
    if (isUnreadable(event)) {
      if (this.#wasReadable) reportUnreadable(event);
      this.#wasReadable = false;
      return undefined;
    }
    this.#wasReadable = true;
    const known = this.#members.get(name);
    const wasThere = known !== undefined && known.node !== undefined && !this.#isSilent(known);
    const heard = { heardAt: this.#now(), heardAtMs: clock.elapsed() };
    if (event.type === 'NodeLeft') {
      // The release of a lease may not have been recorded.
      const left = { state: 'left', ...lateFrom(heard.heardAt + times.lateMs) } as const;
      this.#members.set(name, { node: undefined, lifeMs: times.lifeMs, ...known, ...heard, ...left });
      return undefined;
    }
    const { url, version, startedAt, state, leases } = event.data;
    const node = { name, url, version, startedAt };
    const lifeMs = Math.max(event.data.lifeMs, times.lifeMs);
    this.#members.set(name, { node, state, lifeMs, ...heard, ...this.#lateAfter(heard.heardAt, event.data.lifeMs) });
    return { name, lifeMs: event.data.lifeMs, leases, isNew: !wasThere };
  }

  /** A lease names the node: if it is never heard, its stream has to be erased. */
  mention(name: string): void {
    if (name === this.#deps.self.name || this.#members.has(name)) return;
    const { clock, times } = this.#deps;
    const heardAt = this.#now();
    this.#members.set(name, {
      node: undefined,
      state: undefined,
      lifeMs: times.lifeMs,
      heardAt,
      heardAtMs: clock.elapsed(),
      // If it is alive, it answers the first heartbeat of this process at once.
      ...lateFrom(heardAt + times.lateMs),
    });
  }

  /** A node that is there. */
  nodeOf(name: string): ClusterNode | undefined {
    const member = this.#members.get(name);
    return member === undefined || member.state === 'left' || this.#isSilent(member) ? undefined : member.node;
  }

  /** Whether a partition can be given to the node: it is there, takes its share, and has not missed two heartbeats. */
  takesShare(name: string): boolean {
    const member = this.#members.get(name);
    if (member?.state !== 'active' || this.#isSilent(member)) return false;
    return this.#now() < member.heardAt + 2 * this.#deps.times.renewMs;
  }

  /** The nodes that are there, and how long ago they were heard, in milliseconds. */
  live(): readonly HeardNode[] {
    return this.#heard((name) => this.nodeOf(name));
  }

  /** The nodes that fell silent, and are not forgotten yet. */
  silent(): readonly HeardNode[] {
    return this.#heard((_, member) => (member.state !== 'left' && this.#isSilent(member) ? member.node : undefined));
  }

  /** A heartbeat waits for the renewals of its moment, half a step at most. */
  #lateAfter(heardAt: number, lifeMs: number): Pick<Member, 'lateAt' | 'overdueAt'> {
    const { renewMs, lateMs } = leaseTimes(lifeMs);
    return lateFrom(heardAt + (heardAt < this.#catchesUpUntil ? 0 : renewMs) + lateMs);
  }

  #heard(nodeOf: (name: string, member: Member) => ClusterNode | undefined): HeardNode[] {
    const now = this.#deps.clock.elapsed();
    return [...this.#members].flatMap(([name, member]) => {
      const node = nodeOf(name, member);
      return node === undefined ? [] : [{ node, heardOfMsAgo: now - member.heardAtMs }];
    });
  }

  /**
   * The nodes that partitions are placed on: those that are there and not leaving.
   * @param withSelf whether this process is one of them
   */
  placements(withSelf: boolean): Placements {
    const names = [...this.#members]
      .filter(([name, { state }]) => state !== 'leaving' && this.nodeOf(name) !== undefined)
      .map(([name]) => name);
    if (withSelf) names.push(this.#deps.self.name);
    const { names: before } = this.#placements;
    const isSame = names.length === before.length && names.every((name, at) => name === before[at]);
    if (!isSame) this.#placements = new Placements(names);
    return this.#placements;
  }

  /** The last heartbeat of the node did not tell all its leases: a next one should follow soon. */
  toldInPart(name: string): void {
    const member = this.#members.get(name);
    if (member !== undefined) member.lateAt = member.heardAt + this.#deps.times.lateMs;
  }

  /** Nodes whose next heartbeat is late: each again after `lateMs`, until it is heard or forgotten. */
  late(): readonly LateNode[] {
    const now = this.#now();
    const late = [...this.#members].filter(([, member]) => now >= member.lateAt);
    for (const [, member] of late) member.lateAt = now + this.#deps.times.lateMs;
    return late.map(([name, { overdueAt }]) => ({ name, isOverdue: now >= overdueAt }));
  }

  /** When the next node is late, falls silent, or is gone for long, by the clock's `elapsed()`, if nothing is heard until then. */
  get nextChangeAt(): number {
    const now = this.#deps.clock.elapsed();
    const { goneMs } = this.#deps.times;
    const listened = this.#now();
    // Later than that, only an event tells that this process listens.
    const listensUntil = this.#listenedMs + this.#maxGapMs;
    const waits = [...this.#members.values()]
      .flatMap(({ heardAt, lifeMs, lateAt }) => [lateAt, heardAt + lifeMs, heardAt + lifeMs + goneMs])
      .filter((at) => at > listened && at <= listensUntil)
      .map((at) => at - listened);
    return now + Math.min(...waits);
  }

  /** Nodes whose streams are not needed any more. */
  gone(): readonly string[] {
    const now = this.#now();
    return [...this.#members]
      .filter(([, { heardAt, lifeMs }]) => now >= heardAt + lifeMs + this.#deps.times.goneMs)
      .map(([name]) => name);
  }

  forget(name: string): void {
    this.#members.delete(name);
  }

  #isSilent({ heardAt, lifeMs }: Member): boolean {
    return this.#now() >= heardAt + lifeMs;
  }

  /** Time in which this process has listened, in milliseconds. */
  #now(): number {
    return this.#listenedMs + Math.min(this.#deps.clock.elapsed() - this.#lastEventAt, this.#maxGapMs);
  }
}

const lateFrom = (at: number): Pick<Member, 'lateAt' | 'overdueAt'> => ({ lateAt: at, overdueAt: at });
