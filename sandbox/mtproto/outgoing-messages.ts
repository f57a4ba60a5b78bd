import { mtprotoSchema } from '../tl/layers.ts';
import { type Message, writeContainer } from './container.ts';
import type { MessageIds } from './message-id.ts';

/** A message of the server; those that the client has to acknowledge are kept until it has. */
interface Outgoing extends Message {
  content: boolean;
  /** The call that it answers. */
  answerTo: bigint | undefined;
}

/** What an outbox needs to know of the world around it, asked each time. */
export interface Delivery {
  nextId: MessageIds;
  /** Undefined while there is no connection, or nothing may be sent over it. */
  send(): ((message: Message) => void) | undefined;
  /** How long messages are held back so that others may join them; 0 is the end of this turn of the event loop. */
  holdMs(): number;
}

/** A session that is away, or does not acknowledge, keeps the newest messages within these. */
const MAX_KEPT_MESSAGES = 300;
const MAX_KEPT_BYTES = 4 << 20;
const MAX_CONTAINER_MESSAGES = 100;
const MAX_CONTAINER_BYTES = 512 << 10;

/** The messages of one session that go out: gathered for a turn, sent together, kept until acknowledged. */
export class Outbox {
  private readonly delivery: Delivery;
  private waiting: Outgoing[] = [];
  private readonly unacknowledged = new Map<bigint, Outgoing>();
  private readonly acknowledgements = new Set<bigint>();
  private sentContent = 0;
  private scheduled = false;
  private holding: NodeJS.Timeout | undefined;

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  /** Something that needs no acknowledgement and is not sent again: pongs, notices of bad messages, … */
  notify(body: Buffer): void {
    this.queue(body, false, 'answer');
  }

  answer(answerTo: bigint, body: Buffer): void {
    this.acknowledgements.delete(answerTo);
    this.queue(body, true, 'answer', answerTo);
  }

  /** Updates, and that a session is new. */
  push(body: Buffer): void {
    this.queue(body, true, 'notice');
  }

  /** An answer that goes out in the same turn acknowledges by itself. */
  acknowledge(id: bigint): void {
    this.acknowledgements.add(id);
    this.schedule();
  }

  acknowledged(ids: readonly bigint[]): void {
    for (const id of ids) this.unacknowledged.delete(id);
  }

  /** Sends the answer to a call again; false where there is none any more. */
  repeatAnswer(answerTo: bigint): boolean {
    const kept = this.kept(answerTo);
    if (kept && !this.waiting.includes(kept)) this.resend([kept]);
    return kept !== undefined;
  }

  /** Takes back the answer to a call, as long as the client has not acknowledged it. */
  dropAnswer(answerTo: bigint): Message | undefined {
    const kept = this.kept(answerTo);
    if (!kept) return undefined;
    this.unacknowledged.delete(kept.id);
    this.waiting = this.waiting.filter((message) => message !== kept);
    return kept;
  }

  /** Sends again what the client has not acknowledged: the messages of these ids, or all. */
  repeat(ids?: readonly bigint[]): void {
    const wanted = ids ? ids.flatMap((id) => this.unacknowledged.get(id) ?? []) : [...this.unacknowledged.values()];
    this.resend(wanted.filter((message) => !this.waiting.includes(message)));
  }

  /** Looks again whether there is something to send: the connection or a fault has changed. */
  wake(): void {
    if (this.holding) {
      clearTimeout(this.holding);
      this.holding = undefined;
      this.scheduled = false;
    }
    if (this.waiting.length > 0) this.schedule();
  }

  private kept(answerTo: bigint): Outgoing | undefined {
    const isIt = (message: Outgoing): boolean => message.answerTo === answerTo;
    return this.waiting.find(isIt) ?? [...this.unacknowledged.values()].find(isIt);
  }

  private resend(messages: Outgoing[]): void {
    if (messages.length === 0) return;
    this.waiting.unshift(...messages);
    this.schedule();
  }

  private queue(body: Buffer, content: boolean, kind: 'answer' | 'notice', answerTo?: bigint): void {
    const seqno = this.sentContent * 2 + (content ? 1 : 0);
    if (content) this.sentContent++;
    this.waiting.push({ id: this.delivery.nextId(kind), seqno, body, content, answerTo });
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const flush = (): void => {
      this.holding = undefined;
      this.flush();
      this.scheduled = false;
    };
    const holdMs = this.delivery.holdMs();
    if (holdMs > 0) this.holding = setTimeout(flush, holdMs).unref();
    else setImmediate(flush);
  }

  private flush(): void {
    const send = this.delivery.send();
    if (!send) {
      this.waiting = newest(this.waiting.filter(({ content }) => content));
      return;
    }
    if (this.acknowledgements.size > 0) {
      this.notify(mtprotoSchema.write({ _: 'msgs_ack', msg_ids: [...this.acknowledgements] }));
      this.acknowledgements.clear();
    }
    const messages = this.waiting;
    this.waiting = [];
    for (const batch of batches(messages)) send(this.packed(batch));
    for (const message of messages) if (message.content) this.unacknowledged.set(message.id, message);
    this.forgetOldest();
  }

  private packed(batch: readonly Outgoing[]): Message {
    const [first] = batch;
    if (first && batch.length === 1) return first;
    return { id: this.delivery.nextId('answer'), seqno: this.sentContent * 2, body: writeContainer(batch) };
  }

  private forgetOldest(): void {
    const kept = new Set(newest([...this.unacknowledged.values()]));
    if (kept.size === this.unacknowledged.size) return;
    for (const [id, message] of this.unacknowledged) if (!kept.has(message)) this.unacknowledged.delete(id);
  }
}

/** The newest messages that are within what is kept, in their order. */
function newest(messages: Outgoing[]): Outgoing[] {
  let bytes = 0;
  let from = messages.length;
  while (from > 0 && messages.length - from < MAX_KEPT_MESSAGES) {
    bytes += messages[from - 1]?.body.length ?? 0;
    if (bytes > MAX_KEPT_BYTES) break;
    from--;
  }
  return from === 0 ? messages : messages.slice(from);
}

function* batches(messages: readonly Outgoing[]): Generator<Outgoing[]> {
  let batch: Outgoing[] = [];
  let bytes = 0;
  for (const message of messages) {
    const full = batch.length === MAX_CONTAINER_MESSAGES || bytes + message.body.length > MAX_CONTAINER_BYTES;
    if (full && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += message.body.length;
  }
  if (batch.length > 0) yield batch;
}
