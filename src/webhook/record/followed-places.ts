import { LastEventWriter, type LastEventWriterDeps } from '../../../actors/kit/last-event-writer.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { followedCodec, followedStream } from '../stream/followed-codec.ts';

const savesPerTruncation = 16;

export interface FollowedPlaceDeps extends Pick<LastEventWriterDeps, 'mustOwn'> {
  store: Pick<EventStore, 'append' | 'last' | 'read' | 'truncate'>;
  clock: Pick<Clock, 'now'>;
  random: Pick<Randomness, 'uuid'>;
  reportUnreadable: ReportUnreadable;
}

interface Loaded {
  /** Of the stream's last event; -1: it has none. */
  revision: number;
  /** Undefined if there is no place, or none that can be read. */
  upTo: bigint | undefined;
}

/** Up to where the logs of some sessions are recorded for their receivers. */
export class FollowedPlace {
  readonly #deps: FollowedPlaceDeps;
  readonly #stream: string;
  readonly #writer: LastEventWriter;
  #saved = -1n;
  #saves = 0;
  /** Position of the store. */
  upTo: bigint;

  private constructor(
    deps: FollowedPlaceDeps,
    stream: string,
    { revision, upTo }: Omit<Loaded, 'upTo'> & { upTo: bigint },
  ) {
    this.#deps = deps;
    this.#stream = stream;
    this.#writer = new LastEventWriter(deps, stream, revision);
    this.upTo = upTo;
  }

  /**
   * Continues at the saved place. A partition without one continues at the place of the gateway that was alone. The very first
   * start begins at the end of the log, and saves that place. @throws {StoreUnavailableError} and what `mustOwn` throws
   */
  static async open(deps: FollowedPlaceDeps, stream: string, now: bigint): Promise<FollowedPlace> {
    const { revision, upTo: own } = await load(deps, stream);
    const before = own ?? (stream === followedStream ? undefined : (await load(deps, followedStream)).upTo);
    const place = new FollowedPlace(deps, stream, { revision, upTo: before ?? now });
    if (own === undefined) await place.save();
    else place.#saved = own;
    return place;
  }

  /** @throws {StoreUnavailableError} and what `mustOwn` throws */
  async save(): Promise<void> {
    const { store, clock, random } = this.#deps;
    const position = this.upTo;
    if (position === this.#saved) return;
    const revision = await this.#writer.write({
      id: random.uuid(),
      type: 'FollowedUpTo',
      data: { position: position.toString() },
      metadata: followedCodec.stamp({ at: clock.now() }),
    });
    this.#saved = position;
    this.#saves += 1;
    // The save before stays too, in case this one becomes unreadable.
    if (this.#saves % savesPerTruncation === 0) await store.truncate(this.#stream, revision - 1);
  }
}

async function load(
  { store, reportUnreadable }: Pick<FollowedPlaceDeps, 'store' | 'reportUnreadable'>,
  stream: string,
): Promise<Loaded> {
  const last = await store.last(stream);
  if (last === undefined) return { revision: -1, upTo: undefined };
  const { revision } = last;
  const newest = followedCodec.decode(last);
  if (!isUnreadable(newest)) return { revision, upTo: BigInt(newest.data.position) };
  for await (const recorded of store.read(stream, { direction: 'backwards' })) {
    const event = followedCodec.decode(recorded);
    if (!isUnreadable(event)) return { revision, upTo: BigInt(event.data.position) };
    reportUnreadable(event);
  }
  return { revision, upTo: undefined };
}
