import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import type { EventStore, NewEvent } from '../../../actors/ports/event-store.ts';
import type { AccountUpdate, ChatUser, UpdatePosition, UpdateRecord } from '../../../src/telegram/port/updates.ts';
import { defaultFilter, mayWant } from '../../../src/webhook/filter/event-filter.ts';
import { createWebhookRecording, type WebhookRecording } from '../../../src/webhook/record/record-updates.ts';
import type { DeliveryContent, DeliveryMetadata } from '../../../src/webhook/stream/delivery-events.ts';
import { placeKey } from '../../../src/webhook/stream/place-marks.ts';
import { createPlainSealer } from '../actors/plain-sealer.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { createFaultyStore, type Fault } from '../store/faulty-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';

export const bob: ChatUser = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '' };
export const cara: ChatUser = { id: '1003', name: 'Cara', username: '', phone: '' };

export const positionAt = (pts: number): UpdatePosition => ({ pts, qts: 0, date: 0 });
export const deletion = (...messageIds: number[]): AccountUpdate => ({
  type: 'message.deleted',
  at: undefined,
  missed: false,
  messageIds,
});
/** Bob's messages up to 9 were read. */
export const read = (missed: boolean): AccountUpdate => ({
  type: 'message.read',
  at: undefined,
  missed,
  user: bob,
  upTo: 9,
  fromMe: false,
});

/** A recorded event; its content as if it had all fields of the types that tests look at. */
interface RecordedDelivery {
  id: string;
  type: string;
  data: { content?: string };
  metadata: DeliveryMetadata;
  content: DeliveryContent['MessageReceived'] & DeliveryContent['MessagesDeleted'];
}

/** The record of one session's updates, over a store that fails as the test says. */
export class RecordWorld {
  readonly id = 's1';
  readonly clock: DrivenClock = createDrivenClock();
  readonly store: EventStore = createMemoryStore(this.clock);
  /** What goes wrong with the next appends. */
  faults: (Fault | undefined)[] = [];
  /** The error with which the store refuses an append. */
  refuse: (events: readonly NewEvent[]) => Error | undefined = () => undefined;
  readonly logged: string[] = [];
  /** The error with which nothing can be sealed. */
  sealFails: Error | undefined;
  /** Since when there is a webhook. */
  since: number | undefined = this.clock.now();
  readonly recording: WebhookRecording;
  readonly record: UpdateRecord;
  readonly #sealer = createPlainSealer();

  constructor() {
    const { clock, logged } = this;
    const sealer = this.#sealer;
    const store = createFaultyStore(this.store, () => this.faults.shift());
    this.recording = createWebhookRecording({
      store: {
        ...store,
        append: async (...append) => {
          const refusal = this.refuse(append[2]);
          if (refusal !== undefined) throw refusal;
          return store.append(...append);
        },
      },
      clock,
      random: createSeededRandomness(1, clock),
      log: {
        info: () => {},
        warn: (_fields, line) => void logged.push(line),
        error: (fields, line) => void logged.push([line, fields['update'], fields['reason']].join(' ')),
      },
      sealer: {
        ...sealer,
        seal: (...sealed) => (this.sealFails === undefined ? sealer.seal(...sealed) : Promise.reject(this.sealFails)),
        fingerprint: async (_id, text) => Buffer.from(`print of ${text}`),
      },
      wanted: {
        since: () => this.since,
        mayWant: (_id, types, kind) => mayWant(defaultFilter, types, kind),
        places: async () => {
          const since = this.since ?? 0;
          return [{ key: placeKey(since), since, filter: defaultFilter }];
        },
      },
      writes: new KeyedQueue(),
      reportUnreadable: allReadable,
    });
    this.record = this.open();
  }

  /** The session has a key, with which its content is sealed. */
  async start(): Promise<this> {
    await this.#sealer.createKey(this.id);
    return this;
  }

  open(login = 1): UpdateRecord {
    return this.recording.open(this.id, login, () => {});
  }

  /** A message to the account: from Bob, now, unless the test says otherwise. */
  message(messageId: number, more: { user?: ChatUser; at?: number; text?: string } = {}): AccountUpdate {
    const { user = bob, text = `text ${messageId}` } = more;
    const written = { id: messageId, chatId: user.id, created: 0, fromMe: false, text };
    return { type: 'message', at: more.at ?? this.clock.now(), missed: false, user, message: written };
  }

  async recorded(): Promise<RecordedDelivery[]> {
    const events: RecordedDelivery[] = [];
    for await (const event of this.store.read(`delivery-${this.id}`)) {
      const data = event.data as RecordedDelivery['data'];
      const text = data.content ?? '|{}';
      const content = JSON.parse(text.slice(text.indexOf('|') + 1)) as RecordedDelivery['content'];
      events.push({
        id: event.id,
        type: event.type,
        data,
        metadata: event.metadata as unknown as DeliveryMetadata,
        content,
      });
    }
    return events;
  }

  /** A line an event: its number, its type, the IDs of its messages. */
  async summary(): Promise<string[]> {
    return (await this.recorded()).map(({ type, metadata }) =>
      `${metadata.seq} ${type} ${(metadata.messageIds ?? []).join()}`.trim(),
    );
  }
}
