import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import {
  type DeliveryMetadata,
  deliveryStream,
  isDelivered,
  type PlacedEvent,
  placed,
} from '../stream/delivery-events.ts';
import type { OutboxProgress } from '../stream/outbox-progress.ts';
import type { ChatQueue, ChatQueues } from './chat-queues.ts';

/** Events read in one go. */
const pageEvents = 200;

export interface DeliveryPlace {
  seq: number;
  revision: number;
}

/** Brings what is due from the delivery stream into the queues, no more than has room there. */
export class DeliveryReader {
  readonly #store: Pick<EventStore, 'read'>;
  readonly #sessionId: string;
  readonly #queues: ChatQueues;
  readonly #since: number;
  /** Everything up to here has been looked at. */
  #upTo: DeliveryPlace;
  /** Where the stream ends, as far as is known. */
  #end: DeliveryPlace;
  #isReading = false;

  constructor(
    store: Pick<EventStore, 'read'>,
    sessionId: string,
    queues: ChatQueues,
    { since, upTo }: Pick<OutboxProgress, 'since' | 'upTo'>,
    end: DeliveryPlace,
  ) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#queues = queues;
    this.#since = since;
    this.#upTo = upTo;
    this.#end = end;
  }

  get upTo(): DeliveryPlace {
    return this.#upTo;
  }

  get end(): DeliveryPlace {
    return this.#end;
  }

  get isAtEnd(): boolean {
    return this.#upTo.revision >= this.#end.revision;
  }

  /** What has just been recorded: taken as it comes by who is up to date, read later by the others. */
  recorded(events: readonly PlacedEvent[]): void {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined || last.revision <= this.#end.revision) return;
    this.#end = { seq: last.metadata.seq, revision: last.revision };
    if (this.#isReading || first.revision !== this.#upTo.revision + 1) return;
    for (const event of events) {
      if (this.#queues.room === 0) return;
      this.#take(event);
    }
  }

  /**
   * Reads on, until there is no room left or nothing more; first what chats have left in the stream.
   * @param onDue called when something has come into the queues
   * @throws {StoreUnavailableError}
   */
  async fill(now: () => number, onDue: () => void, isOver: () => boolean): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (!isOver()) {
        const hungry = this.#queues.hungry(now());
        if (hungry.length > 0) await this.#readRest(hungry, isOver);
        else if (this.#queues.hasMuchRoom && !this.isAtEnd) await this.#readOn(isOver);
        else return;
        onDue();
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readOn(isOver: () => boolean): Promise<void> {
    const end = this.#end;
    let isEmpty = true;
    for await (const event of this.#page(this.#upTo.revision + 1, this.#queues.room)) {
      if (isOver() || this.#queues.room === 0) return;
      isEmpty = false;
      this.#take(placed(event));
    }
    // The rest has been truncated; not what has been recorded since.
    if (isEmpty) this.#upTo = end;
  }

  #take(event: PlacedEvent): void {
    const { type, metadata, revision } = event;
    this.#upTo = { seq: metadata.seq, revision };
    if (isDelivered(type) && this.#isForWebhook(metadata)) this.#queues.add(keyOf(metadata), dueOf(event));
  }

  /**
   * Of several chats at once: where they are mixed, what one of them passes by is another one's. Others that will soon
   * have nothing left take part as far as it goes.
   */
  async #readRest(hungry: readonly ChatQueue[], isOver: () => boolean): Promise<void> {
    const chats = [...hungry, ...this.#queues.peckish()];
    /** Where the rest of each begins. Elsewhere than here, the chat has failed meanwhile, and begins there. */
    const open = new Map(chats.map((chat) => [chat, chat.restFrom]));
    const end = this.#upTo.revision;
    let next = Math.min(...chats.map(({ restFrom = 0 }) => restFrom));
    while (next <= end && hungry.some((chat) => open.has(chat))) {
      let last = end;
      for await (const event of this.#page(next)) {
        if (isOver()) return;
        last = event.revision;
        if (last > end) break;
        this.#takeRest(placed(event), open);
      }
      next = last + 1;
    }
    if (next <= end) return;
    for (const [chat, from] of open) if (chat.restFrom === from) this.#queues.endRest(chat);
  }

  #takeRest(event: PlacedEvent, open: Map<ChatQueue, number | undefined>): void {
    const chat = isDelivered(event.type) ? this.#queues.chats.get(keyOf(event.metadata)) : undefined;
    if (chat === undefined || !open.has(chat) || event.revision < (chat.restFrom ?? 0)) return;
    const isUndisturbed = chat.restFrom === open.get(chat);
    if (isUndisturbed && this.#queues.addRest(chat, dueOf(event))) open.set(chat, chat.restFrom);
    else open.delete(chat);
  }

  #page(from: number, limit = pageEvents): AsyncIterable<RecordedEvent> {
    return this.#store.read(deliveryStream(this.#sessionId), { from, limit: Math.min(limit, pageEvents) });
  }

  /** What was recorded for a webhook that has been turned off since is nobody else's. */
  #isForWebhook({ since }: DeliveryMetadata): boolean {
    return since >= this.#since;
  }
}

const keyOf = ({ chat = '' }: DeliveryMetadata): string => chat;

const dueOf = (event: PlacedEvent): Parameters<ChatQueues['add']>[1] => ({
  revision: event.revision,
  seq: event.metadata.seq,
  at: event.metadata.at,
  event,
});
