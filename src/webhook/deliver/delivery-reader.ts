import { isUnreadable, type ReportUnreadable, type UnreadableReason } from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { deliveryCodec } from '../stream/delivery-codec.ts';
import { type DeliveryMetadata, deliveryStream, isDelivered, type PlacedEvent } from '../stream/delivery-events.ts';
import type { OutboxProgress, StreamPlace } from '../stream/outbox-progress.ts';
import { countOf, isUnreadableWantedBy, isWantedBy, placeKey } from '../stream/place-marks.ts';
import { findRevision } from '../stream/read-deliveries.ts';
import { firstSeq, hasSeq, type SeqRange } from '../stream/seq-ranges.ts';
import { SeqTracker, unreadableMetadata } from '../stream/seq-tracker.ts';
import type { ChatQueue, ChatQueues } from './chat-queues.ts';

/** Events of one read. */
const pageEvents = 200;

export interface DeliveryPlace extends StreamPlace {
  count: number;
}

export interface DeliveryReaderDeps {
  store: Pick<EventStore, 'read'>;
  reportUnreadable: ReportUnreadable;
  queues: ChatQueues;
  /** Called when deliveries have been added to the queues. */
  onDue: () => void;
  /** Called for a delivery whose event cannot be read, each time that it is passed over. */
  onUnreadable: (seq: number, reason: UnreadableReason) => void;
  isOver: () => boolean;
  /** If only some deliveries are to be made: those with these numbers that are not pending by themselves. */
  chosen?: { ranges: readonly SeqRange[]; isPending: (chat: string, revision: number) => boolean } | undefined;
}

/** Reads pending deliveries from the delivery stream into the queues, as far as they have room. */
export class DeliveryReader {
  readonly #deps: DeliveryReaderDeps;
  readonly #sessionId: string;
  readonly #stream: string;
  readonly #key: string;
  readonly #numbers: SeqTracker;
  /** Revision up to which the stream has been read. */
  #upTo: DeliveryPlace;
  /** The last event of the stream that is known. */
  #end: DeliveryPlace;
  #isReading = false;
  #hasMoved = false;

  constructor(
    deps: DeliveryReaderDeps,
    sessionId: string,
    { since, upTo }: Pick<OutboxProgress, 'since' | 'upTo'>,
    end: DeliveryPlace,
  ) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#stream = deliveryStream(sessionId);
    this.#key = placeKey(since);
    this.#numbers = new SeqTracker(upTo.seq);
    this.#upTo = { ...upTo, count: upTo.count ?? upTo.seq };
    this.#end = end;
  }

  get upTo(): DeliveryPlace {
    return this.#upTo;
  }

  /** Whether it has come to an event of its webhook, or to an unreadable one, since the last call. */
  takeMoved(): boolean {
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    return hasMoved;
  }

  get end(): DeliveryPlace {
    return this.#end;
  }

  get isAtEnd(): boolean {
    return this.#upTo.revision >= this.#end.revision;
  }

  /** To be called with new events: they are taken at once if all before them have been read, else they are read later. */
  recorded(events: readonly PlacedEvent[]): void {
    const [first] = events;
    const last = events.at(-1);
    // Stryker disable next-line ConditionalExpression,LogicalOperator,EqualityOperator: both are there, or neither
    if (first === undefined || last === undefined || last.revision <= this.#end.revision) return;
    this.#end = this.#placeOf(last, false);
    if (this.#isReading || first.revision !== this.#upTo.revision + 1) return;
    for (const event of events) {
      if (this.#deps.queues.room === 0) return;
      this.#take(event);
    }
  }

  /**
   * Reads until the queues are full or the stream ends. What chats have left in the stream and what has not been read take
   * turns.
   * @throws {StoreUnavailableError}
   */
  async fill(): Promise<void> {
    if (this.#isReading) return;
    const { queues, onDue, isOver } = this.#deps;
    this.#isReading = true;
    try {
      while (!isOver()) {
        const hungry = queues.hungry();
        if (hungry.length > 0) await this.#readRest(hungry);
        const isBehind = queues.hasMuchRoom && !this.isAtEnd;
        if (isBehind && !isOver()) await this.#readOn();
        if (hungry.length === 0 && !isBehind) return;
        onDue();
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readOn(): Promise<void> {
    const { queues, reportUnreadable, isOver } = this.#deps;
    const end = this.#end;
    const from = await this.#next();
    if (from === undefined) return this.#reach(end);
    let isEmpty = true;
    for await (const recorded of this.#page(from, queues.room)) {
      if (isOver() || queues.room === 0) return;
      isEmpty = false;
      const event = deliveryCodec.decode(recorded);
      if (!isUnreadable(event)) this.#take(event);
      else {
        reportUnreadable(event);
        this.#pass(recorded, event.reason);
      }
    }
    // The rest has been truncated, but not events recorded since.
    if (isEmpty) this.#reach(end);
  }

  /** Where to read on: chosen deliveries that are far apart are looked up. Undefined if none is left. */
  async #next(): Promise<number | undefined> {
    const { chosen } = this.#deps;
    const after = this.#upTo.revision + 1;
    if (chosen === undefined) return after;
    const seq = firstSeq(chosen.ranges, this.#numbers.seq + 1);
    if (seq === undefined) return undefined;
    if (seq - this.#numbers.seq < pageEvents) return after;
    return findRevision(this.#deps, this.#sessionId, this.#end.revision, ({ metadata }) => metadata.seq >= seq);
  }

  #wants(event: PlacedEvent): boolean {
    if (!isWantedBy(event, this.#key)) return false;
    const { chosen } = this.#deps;
    if (chosen === undefined) return true;
    return hasSeq(chosen.ranges, event.metadata.seq) && !chosen.isPending(keyOf(event.metadata), event.revision);
  }

  #take(event: PlacedEvent): void {
    const isDue = this.#wants(event);
    this.#reach(this.#placeOf(event, isDue));
    if (!isDue) return;
    this.#hasMoved = true;
    this.#deps.queues.add(keyOf(event.metadata), dueOf(event));
  }

  #pass(recorded: RecordedEvent, reason: UnreadableReason): void {
    const seq = this.#numbers.pass(recorded);
    this.#hasMoved = true;
    this.#upTo = { ...this.#upTo, seq: this.#numbers.seq, revision: recorded.revision };
    if (seq === undefined || !isUnreadableWantedBy(unreadableMetadata(recorded), this.#key)) return;
    if (this.#deps.chosen !== undefined && !hasSeq(this.#deps.chosen.ranges, seq)) return;
    this.#upTo.count += 1;
    this.#deps.onUnreadable(seq, reason);
  }

  #placeOf(event: PlacedEvent, isDue: boolean): DeliveryPlace {
    const count = this.#deps.chosen === undefined ? countOf(event, this.#key) : this.#upTo.count + (isDue ? 1 : 0);
    return { seq: event.metadata.seq, revision: event.revision, count };
  }

  #reach(place: DeliveryPlace): void {
    this.#upTo = place;
    this.#numbers.read(place.seq);
  }

  /**
   * Reads the rest of several chats in one pass, because their events are mixed. Chats with few deliveries left in memory
   * are included as far as they have room.
   */
  async #readRest(hungry: readonly ChatQueue[]): Promise<void> {
    const { queues, isOver } = this.#deps;
    const chats = [...hungry, ...queues.peckish()];
    /** Where the rest of each begins. If it changes, the chat has failed meanwhile. */
    const open = new Map(chats.map((chat) => [chat, chat.restFrom]));
    const end = this.#upTo.revision;
    let next = Math.min(...chats.map(({ restFrom = 0 }) => restFrom));
    while (next <= end && hungry.some((chat) => open.has(chat) && chat.due.length === 0)) {
      let last = end;
      for await (const recorded of this.#page(next)) {
        if (isOver()) return;
        last = recorded.revision;
        if (last > end) break;
        this.#takeRest(recorded, open);
      }
      next = last + 1;
    }
    for (const [chat, from = 0] of open) {
      if (chat.restFrom !== from) continue;
      if (next > end) queues.endRest(chat);
      else chat.restFrom = Math.max(from, next);
    }
  }

  #takeRest(recorded: RecordedEvent, open: Map<ChatQueue, number | undefined>): void {
    const { queues, reportUnreadable, onUnreadable } = this.#deps;
    const event = deliveryCodec.decode(recorded);
    const { chat: key, seq } = unreadableMetadata(recorded);
    const chat = isDelivered(recorded.type) && typeof key === 'string' ? queues.chats.get(key) : undefined;
    if (chat === undefined || !open.has(chat) || recorded.revision < (chat.restFrom ?? 0)) return;
    if (isUnreadable(event)) {
      // It was readable at the first read.
      reportUnreadable(event);
      const isDue = typeof seq === 'number' && isUnreadableWantedBy(unreadableMetadata(recorded), this.#key);
      if (isDue) onUnreadable(seq, event.reason);
      return;
    }
    if (!this.#wants(event)) return;
    const isUndisturbed = chat.restFrom === open.get(chat);
    if (isUndisturbed && queues.addRest(chat, dueOf(event))) open.set(chat, chat.restFrom);
    else open.delete(chat);
  }

  #page(from: number, limit = pageEvents): AsyncIterable<RecordedEvent> {
    return this.#deps.store.read(this.#stream, { from, limit: Math.min(limit, pageEvents) });
  }
}

const keyOf = ({ chat = '' }: DeliveryMetadata): string => chat;

const dueOf = (event: PlacedEvent): Parameters<ChatQueues['add']>[1] => ({
  revision: event.revision,
  seq: event.metadata.seq,
  at: event.metadata.at,
  event,
});
