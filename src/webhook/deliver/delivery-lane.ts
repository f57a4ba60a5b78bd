import type { StreamPlace } from '../stream/outbox-progress.ts';
import type { ChatQueue, ChatQueues } from './chat-queues.ts';
import type { DeliveryReader } from './delivery-reader.ts';

/** Deliveries of an outbox with an order of their own: all that is recorded, or what is replayed. */
export class DeliveryLane {
  readonly queues: ChatQueues;
  readonly reader: DeliveryReader;

  constructor(queues: ChatQueues, reader: DeliveryReader) {
    this.queues = queues;
    this.reader = reader;
  }

  /** How many deliveries are due. */
  get pending(): number {
    const { reader, queues } = this;
    return queues.count + (reader.isAtEnd ? 0 : Math.max(0, reader.end.count - reader.upTo.count));
  }

  /** Whether all of it is read and delivered, or parked. */
  get isDone(): boolean {
    return this.reader.isAtEnd && this.queues.chats.size === 0;
  }

  has(chat: ChatQueue): boolean {
    return this.queues.chats.get(chat.key) === chat;
  }

  /** Whether there is more to read, now that an attempt of the chat has ended. */
  wantsMore(chat: ChatQueue): boolean {
    const isDry = chat.due.length === 0 && chat.restFrom !== undefined;
    return isDry || (!this.reader.isAtEnd && this.queues.hasMuchRoom);
  }

  /** Whether a delivery with this revision of this chat is still to be made. */
  isPending(chat: string, revision: number): boolean {
    const { due, restFrom } = this.queues.chats.get(chat) ?? {};
    return revision > this.reader.upTo.revision || (due?.[0]?.revision ?? restFrom ?? Infinity) <= revision;
  }

  /** As it is saved. */
  get place(): { upTo: StreamPlace & { count: number }; chats: ReturnType<ChatQueues['behind']> } {
    return { upTo: this.reader.upTo, chats: this.queues.behind() };
  }
}
