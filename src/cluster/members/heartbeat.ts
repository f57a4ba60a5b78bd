import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { type EventStore, type NewEvent, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import type { ClusterNode } from '../cluster.ts';
import { type LeaseRevisions, type NodeEventContent, type NodeState, nodeCodec, nodeStream } from './node-codec.ts';

export interface HeartbeatDeps {
  store: Pick<EventStore, 'append' | 'last' | 'truncate' | 'erase'>;
  clock: Pick<Clock, 'now'>;
  random: Pick<Randomness, 'uuid'>;
  log: Pick<Log, 'error'>;
}

/** After this many appends, the events before the last one are removed. */
const appendsPerTruncation = 128;

/** Writes the stream of this process's node. One call at a time. */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  readonly #self: ClusterNode;
  readonly #lifeMs: number;
  readonly #stream: string;
  #revision = -1;
  #appends = 0;

  constructor(deps: HeartbeatDeps, self: ClusterNode, lifeMs: number) {
    this.#deps = deps;
    this.#self = self;
    this.#lifeMs = lifeMs;
    this.#stream = nodeStream(self.name);
  }

  /** @returns the position of the event; undefined if it is not known to be recorded */
  seen(state: NodeState, leases: LeaseRevisions): Promise<bigint | undefined> {
    const { url, version, startedAt } = this.#self;
    return this.#append('NodeSeen', { url, version, startedAt, state, lifeMs: this.#lifeMs, leases: { ...leases } });
  }

  /** The end of the stream, which nothing follows: it is erased. If the store is away, others erase it later. */
  async left(): Promise<void> {
    if ((await this.#append('NodeLeft', {})) === undefined) return;
    await this.#deps.store.erase(this.#stream).catch((error: unknown) => this.#note(error));
  }

  async #append(type: NodeEventContent['type'], data: NewEvent['data']): Promise<bigint | undefined> {
    const { store, clock, random } = this.#deps;
    const event = { id: random.uuid(), type, data, metadata: nodeCodec.stamp({ at: clock.now() }) };
    try {
      const expected = this.#revision < 0 ? 'no-stream' : this.#revision;
      const { revision, position } = await store.append(this.#stream, expected, [event]);
      this.#revision = revision;
      this.#truncate();
      return position;
    } catch (error) {
      this.#note(error);
    }
    try {
      const last = await store.last(this.#stream);
      this.#revision = last?.revision ?? -1;
      return last?.id === event.id ? last.position : undefined;
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  #note(err: unknown): void {
    // An earlier append may have been recorded after it was given up.
    if (isRetryable(err) || err instanceof WrongExpectedRevisionError) return;
    this.#deps.log.error({ where: 'store', stream: this.#stream, err }, 'a heartbeat failed');
  }

  #truncate(): void {
    this.#appends += 1;
    if (this.#appends % appendsPerTruncation > 0) return;
    void this.#deps.store.truncate(this.#stream, this.#revision).catch(() => {
      // The next truncation removes them.
    });
  }
}
