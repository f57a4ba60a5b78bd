import type { Clock } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { ClusterNode } from '../cluster.ts';
import type { LeaseTimes } from '../leases/lease-times.ts';
import { Placements } from '../placement.ts';
import { type NodeState, nodeCodec, nodePrefix } from './node-codec.ts';

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
    this.#listenedMs = this.#now();
    this.#lastEventAt = this.#deps.clock.elapsed();
  }

  /** An event of a node's stream. @returns whether it is from a node that was not there before */
  hear(recorded: RecordedEvent): boolean {
    const name = recorded.stream.slice(nodePrefix.length);
    const { self, reportUnreadable, clock, times } = this.#deps;
    if (name === self.name) return false;
    const event = nodeCodec.decode(recorded);
    if (isUnreadable(event)) {
      if (this.#wasReadable) reportUnreadable(event);
      this.#wasReadable = false;
      return false;
    }
    this.#wasReadable = true;
    const known = this.#members.get(name);
    const wasThere = known !== undefined && known.node !== undefined && !this.#isSilent(known);
    const heard = { heardAt: this.#now(), heardAtMs: clock.elapsed() };
    if (event.type === 'NodeLeft') {
      this.#members.set(name, { node: undefined, lifeMs: times.lifeMs, ...known, ...heard, state: 'left' });
      return false;
    }
    const { url, version, startedAt, state, lifeMs } = event.data;
    const node = { name, url, version, startedAt };
    this.#members.set(name, { node, state, lifeMs: Math.max(lifeMs, times.lifeMs), ...heard });
    return !wasThere;
  }

  /** A lease names the node: if it is never heard, its stream has to be erased. */
  mention(name: string): void {
    if (name === this.#deps.self.name || this.#members.has(name)) return;
    const { clock, times } = this.#deps;
    const heard = { heardAt: this.#now(), heardAtMs: clock.elapsed() };
    this.#members.set(name, { node: undefined, state: undefined, lifeMs: times.lifeMs, ...heard });
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

  /** When the next node falls silent, or is gone for long, by the clock's `elapsed()`, if nothing is heard until then. */
  get nextChangeAt(): number {
    const now = this.#deps.clock.elapsed();
    const { goneMs } = this.#deps.times;
    const listened = this.#now();
    const waits = [...this.#members.values()]
      .map(
        ({ heardAt, lifeMs }) => [heardAt + lifeMs, heardAt + lifeMs + goneMs].find((at) => at > listened) ?? Infinity,
      )
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
