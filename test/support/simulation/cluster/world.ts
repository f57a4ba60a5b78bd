import type { Log } from '../../../../actors/ports/log.ts';
import { ClusterNodes } from '../../../../src/cluster/cluster-nodes.ts';
import { leasePrefix, leaseStream } from '../../../../src/cluster/leases/lease-codec.ts';
import { nodeStream } from '../../../../src/cluster/members/node-codec.ts';
import { partitionOf } from '../../../../src/cluster/partitions.ts';
import { placementOf } from '../../../../src/cluster/placement.ts';
import { createDrivenClock, createSeededRandomness } from '../../kit/clock.ts';
import { allReadable } from '../../store/all-readable.ts';
import { createMemoryStore } from '../../store/memory-store.ts';
import { Chance } from '../chance.ts';
import { InvariantError } from '../model.ts';
import { fencedLog, type NodePlaces } from './fenced-log.ts';
import { NodeClock } from './node-clock.ts';
import { nodeStore } from './node-store.ts';
import { SimulatedPart } from './simulated-part.ts';
import { Trouble } from './trouble.ts';

/** Fewer than there are: each is a world of its own. */
const partitions = 3;
export const lifeMs = 15_000;
/** A partition has an owner again so long after the life of a lease, once nothing is in its way (CL2.6). */
const takeoverMs = 3_000;
const slowest = 0.9;
const fastest = 1.1;

export interface SimulatedNode {
  readonly name: string;
  /** Of its clock. */
  readonly rate: number;
  readonly clock: NodeClock;
  readonly cluster: ClusterNodes;
  readonly part: SimulatedPart;
  /** By the world's `elapsed()`: it has watched the leases since then. */
  readonly joinedAt: number;
  state: 'running' | 'stopping' | 'gone';
}

/** A session for each partition. */
const sessions: readonly string[] = Array.from({ length: partitions }, (_, partition) => {
  for (let number = 0; ; number += 1) if (partitionOf(`s${number}`) === partition) return `s${number}`;
});

/** Several nodes on one store, each with a clock of its own. */
export class ClusterWorld {
  readonly clock = createDrivenClock({ turns: 1 });
  readonly chance: Chance;
  readonly trouble: Trouble;
  readonly happened = new Map<string, number>();
  readonly nodes: SimulatedNode[] = [];
  readonly #disk = createMemoryStore(this.clock);
  readonly #places = new Map<string, NodePlaces>();
  readonly #store = fencedLog(
    this.#disk,
    (error) => this.#break(error),
    (name) => this.count(name),
    this.#places,
  );
  /** When each partition was last served, or its owner was killed, by the clock's `elapsed()`. */
  readonly #servedAt = sessions.map(() => this.clock.elapsed());
  /** Since when nothing is wrong, and there is a node. */
  #calmSince = this.clock.elapsed();
  #wasCalm = true;
  #broken: Error | undefined;

  constructor(seed: number) {
    this.chance = new Chance(createSeededRandomness(seed, this.clock));
    this.trouble = new Trouble(this.clock, this.chance, (name) => this.count(name));
  }

  count(name: string): void {
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
  }

  get running(): readonly SimulatedNode[] {
    return this.nodes.filter(({ state }) => state === 'running');
  }

  get present(): readonly SimulatedNode[] {
    return this.nodes.filter(({ state }) => state !== 'gone');
  }

  join(): void {
    this.count('join');
    const name = `n${this.nodes.length + 1}`;
    const rate = this.chance.oneOf([slowest, 1, fastest, this.chance.between(90, 110) / 100]);
    const clock = new NodeClock(this.clock, rate, this.chance.between(-3_600_000, 3_600_000));
    const { chance, trouble } = this;
    const store = nodeStore(this.#store, { world: this.clock, clock, chance, trouble, node: name });
    const random = createSeededRandomness(this.chance.between(1, 1_000_000_000), clock);
    const cluster = new ClusterNodes(
      {
        store,
        clock,
        random,
        log: this.#log,
        reportUnreadable: allReadable,
        meter: {
          renewed: () => this.count('renewed'),
          tookOver: (from) => this.count(`taken over, ${from}`),
          lost: () => this.count('lost'),
        },
      },
      { self: { name, url: `http://${name}`, version: '1', startedAt: clock.now() }, leaseMs: lifeMs, partitions },
    );
    const part = new SimulatedPart({
      store,
      clock,
      random,
      ownership: () => cluster,
      node: name,
      sessions,
      count: (what) => this.count(what),
    });
    cluster.register(part);
    const joinedAt = this.clock.elapsed();
    const node: SimulatedNode = { name, rate, clock, cluster, part, joinedAt, state: 'running' };
    this.nodes.push(node);
    void this.#guard(node, cluster.start());
  }

  kill(node: SimulatedNode): void {
    this.count('kill');
    // The life of its leases begins anew: a node that has just taken one need not serve it yet.
    sessions.forEach((id, partition) => {
      if (node.cluster.owns(id)) this.#servedAt[partition] = this.clock.elapsed();
    });
    node.state = 'gone';
    node.clock.isDead = true;
    node.cluster.crash();
  }

  stop(node: SimulatedNode): void {
    this.count('stop');
    node.state = 'stopping';
    const stopped = async (): Promise<void> => {
      await node.cluster.leave();
      await node.cluster.end();
      node.state = 'gone';
    };
    void this.#guard(node, stopped());
  }

  /** Goes from timer to timer, and looks at everything after each. */
  async pass(forMs: number): Promise<void> {
    const end = this.clock.now() + forMs;
    for (let dueAt = this.clock.nextDueAt(); dueAt !== undefined && dueAt <= end; dueAt = this.clock.nextDueAt()) {
      await this.clock.advance(Math.max(0, dueAt - this.clock.now()));
      this.check();
    }
    await this.clock.advance(Math.max(0, end - this.clock.now()));
    this.check();
  }

  /** What must be true at any time. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
    const now = this.clock.elapsed();
    const awake = this.present.filter(({ clock }) => !clock.isPaused);
    const isCalm = this.trouble.isCalm && awake.length === this.present.length && now > this.trouble.lastLateAt;
    // What was wrong has ended at any time since the last look.
    if (!isCalm || !this.#wasCalm || this.running.length === 0) this.#calmSince = now;
    this.#wasCalm = isCalm;
    // Who takes a lease has watched it for a whole life. If all who did have left, the next one begins anew.
    const watchedSince = Math.min(...this.running.map(({ joinedAt }) => joinedAt));
    // The life of a lease is measured by the clock of the node that takes it.
    const ownedAgainMs = lifeMs / Math.min(...this.running.map(({ rate }) => rate)) + takeoverMs;
    sessions.forEach((id, partition) => {
      const owners = awake.filter(({ cluster }) => cluster.owns(id));
      if (owners.length > 1)
        throw new InvariantError(`partition ${partition} has owners ${owners.map(({ name }) => name).join(' and ')}`);
      if (owners[0]?.cluster.placeOf(id).kind === 'here') this.#servedAt[partition] = now;
      const since = Math.max(this.#servedAt[partition] ?? 0, this.#calmSince, watchedSince);
      if (now - since > ownedAgainMs)
        throw new InvariantError(`partition ${partition} has no owner for ${now - since} ms`);
    });
  }

  /** After a long calm: each partition is where it is placed, and nothing is left of those who are gone. */
  async checkEnd(): Promise<void> {
    const names = this.running.map(({ name }) => name);
    for (const [partition, id] of sessions.entries()) {
      const [wanted] = placementOf(partition, names);
      for (const { name, cluster } of this.running) {
        const place = cluster.placeOf(id);
        const at = place.kind === 'here' ? name : place.kind === 'there' ? place.node.name : place.kind;
        if (at !== wanted)
          throw new InvariantError(`partition ${partition} is placed on ${wanted}; ${name} sees ${at}`);
      }
    }
    for (const { name, state } of this.nodes) {
      const isThere = (await this.#disk.last(nodeStream(name))) !== undefined;
      if (isThere && state !== 'running' && this.#isKnownGone(name))
        throw new InvariantError(`${name} is ${state}, its stream is there`);
      if (!isThere && state === 'running') throw new InvariantError(`${name} is running, its stream is not there`);
    }
  }

  /** Whether a node that runs heard of it. */
  #isKnownGone(name: string): boolean {
    const lastAt = this.#places.get(nodeStream(name))?.lastAt ?? 0n;
    return this.running.some((node) => (this.#places.get(nodeStream(node.name))?.activeAt ?? lastAt) < lastAt);
  }

  /** All have stopped: nothing is held. */
  async checkStopped(): Promise<void> {
    for (let partition = 0; partition < partitions; partition += 1) {
      const last = await this.#disk.last(leaseStream(partition));
      if (last?.type !== 'LeaseReleased')
        throw new InvariantError(`${leasePrefix}${partition} ends with ${last?.type}`);
    }
    const left = this.present.map(({ name }) => name);
    if (left.length > 0) throw new InvariantError(`${left.join(' and ')} did not stop`);
  }

  readonly #log: Log = {
    info: () => {},
    warn: (_, message) => this.count(message),
    error: (fields, message) => this.#break(new InvariantError(message, { cause: fields['err'] })),
  };

  async #guard(node: SimulatedNode, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (node.state === 'running') this.#break(error);
    }
  }

  #break(error: unknown): void {
    this.#broken ??= error instanceof Error ? error : new Error(String(error));
  }
}
