import { setTimeout as pause } from 'node:timers/promises';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import { silentLog } from '../../../actors/ports/log.ts';
import { leaseCodec, leasePrefix } from '../../../src/cluster/leases/lease-codec.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openKurrentStore } from '../../../src/store/events/kurrent/kurrent-store.ts';

const pollMs = 50;

/** Who holds a partition, and when this process heard of it, by `performance.now()`. */
interface Holding {
  node: string;
  since: number;
}

/** Which node holds each partition, by the log of the store that they share. To be opened before the first node starts. */
export class LeaseWatch {
  readonly #holdings = new Map<number, Holding>();
  readonly #store: ReturnType<typeof openKurrentStore>;

  /** @param url of a KurrentDB server */
  constructor(url: string) {
    this.#store = openKurrentStore({ url, clock: systemClock, randomness: systemRandomness, log: silentLog });
    this.#store.subscribeAll({
      prefixes: [leasePrefix],
      types: ['LeaseTaken', 'LeaseReleased'],
      onEvent: (recorded) => this.#hear(recorded),
      onError: (error) => {
        throw error;
      },
    });
  }

  /**
   * Waits until other nodes hold all that this one has at the call, or takes while it waits. They need not serve it yet.
   * @returns how long they took, in milliseconds; undefined: longer than `maxMs`
   * @throws {Error} this one holds nothing
   */
  async takenFrom(node: string, maxMs = Infinity): Promise<number | undefined> {
    const from = performance.now();
    const left = new Set<number>();
    let lastAt = from;
    while (performance.now() - from <= maxMs) {
      for (const [partition, holding] of this.#holdings) {
        if (holding.node === node) left.add(partition);
        else if (left.delete(partition)) lastAt = Math.max(lastAt, holding.since);
      }
      if (lastAt === from && left.size === 0) throw new Error(`${node} holds nothing`);
      if (left.size === 0) return lastAt - from;
      await pause(pollMs);
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #hear(recorded: RecordedEvent): void {
    const event = leaseCodec.decode(recorded);
    if (isUnreadable(event)) throw new Error(`an event of ${recorded.stream} cannot be read`);
    const partition = Number(recorded.stream.slice(leasePrefix.length));
    if (event.type === 'LeaseReleased') this.#holdings.delete(partition);
    else this.#holdings.set(partition, { node: event.data.node, since: performance.now() });
  }
}
