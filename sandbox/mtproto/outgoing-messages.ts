import { mtprotoSchema } from '../tl/layers.ts';
import { type MtprotoMessage, writeContainer } from './container.ts';
import type { NextMessageId } from './message-id.ts';

interface OutgoingMessage extends MtprotoMessage {
  /** The client has to acknowledge it: kept until then. */
  needsAck: boolean;
  /** The call that it answers. */
  answerTo: bigint | undefined;
}

/** `send` and `holdMs` are asked again each time. */
export interface OutgoingDeps {
  nextId: NextMessageId;
  /** Undefined while there is no connection, or a fault forbids sending. */
  send(): ((message: MtprotoMessage) => void) | undefined;
  /** Whether the client is only told of the next answer, and has to ask for it. */
  announces?(): boolean;
  /** Milliseconds to wait for more messages before sending; 0: until the end of this turn of the event loop. */
  holdMs(): number;
}

/** Limits of what is kept for a client that is away or does not acknowledge. The newest messages are kept. */
const MAX_KEPT_MESSAGES = 300;
const MAX_KEPT_BYTES = 4 << 20;
const MAX_CONTAINER_MESSAGES = 100;
const MAX_CONTAINER_BYTES = 512 << 10;

/**
 * The messages that go to the client of one session: collected for one turn, sent together, kept until acknowledged.
 */
export class OutgoingMessages {
  private readonly deps: OutgoingDeps;
  private waiting: OutgoingMessage[] = [];
  private readonly unacknowledged = new Map<bigint, OutgoingMessage>();
  private readonly acknowledgements = new Set<bigint>();
  /** Messages so far that need an acknowledgement: seqnos are made of it. */
  private contentCount = 0;
  private isScheduled = false;
  private announced = 0;
  private holdTimer: NodeJS.Timeout | undefined;

  constructor(deps: OutgoingDeps) {
    this.deps = deps;
  }

  /** Sends a message once, without acknowledgement: pongs, `bad_msg_notification`, … */
  notify(body: Buffer): void {
    this.queue(body, false, 'answer');
  }

  answer(answerTo: bigint, body: Buffer): void {
    this.acknowledgements.delete(answerTo);
    if (this.deps.announces?.()) this.announce(body, answerTo);
    else this.queue(body, true, 'answer', answerTo);
  }

  /** Updates and `new_session_created`. */
  push(body: Buffer): void {
    this.queue(body, true, 'notice');
  }

  /** Sends an acknowledgement, unless the answer goes out in the same turn and makes it unnecessary. */
  acknowledge(id: bigint): void {
    this.acknowledgements.add(id);
    this.schedule();
  }

  get unacknowledgedCount(): number {
    return this.unacknowledged.size;
  }

  /** The client has acknowledged these messages. */
  acknowledged(ids: readonly bigint[]): void {
    for (const id of ids) this.unacknowledged.delete(id);
  }

  /** Sends the answer to a call again; false if it is no longer kept. */
  repeatAnswer(answerTo: bigint): boolean {
    const answer = this.keptAnswer(answerTo);
    if (answer && !this.waiting.includes(answer)) this.resend([answer]);
    return answer !== undefined;
  }

  /** Removes the answer to a call if the client has not acknowledged it yet. */
  dropAnswer(answerTo: bigint): MtprotoMessage | undefined {
    const answer = this.keptAnswer(answerTo);
    if (!answer) return undefined;
    this.unacknowledged.delete(answer.id);
    this.waiting = this.waiting.filter((message) => message !== answer);
    return answer;
  }

  /** Sends unacknowledged messages again: those with these IDs, or all. */
  repeat(ids?: readonly bigint[]): void {
    const wanted = ids ? ids.flatMap((id) => this.unacknowledged.get(id) ?? []) : [...this.unacknowledged.values()];
    this.resend(wanted.filter((message) => !this.waiting.includes(message)));
  }

  /** To be called when the connection or a fault has changed: sends what is waiting, if that is possible now. */
  wake(): void {
    if (this.holdTimer) {
      clearTimeout(this.holdTimer);
      this.holdTimer = undefined;
      this.isScheduled = false;
    }
    if (this.waiting.length > 0) this.schedule();
  }

  private keptAnswer(answerTo: bigint): OutgoingMessage | undefined {
    const isAnswer = (message: OutgoingMessage): boolean => message.answerTo === answerTo;
    return this.waiting.find(isAnswer) ?? [...this.unacknowledged.values()].find(isAnswer);
  }

  private resend(messages: OutgoingMessage[]): void {
    if (messages.length === 0) return;
    this.waiting.unshift(...messages);
    this.schedule();
  }

  private queue(body: Buffer, needsAck: boolean, kind: 'answer' | 'notice', answerTo?: bigint): void {
    const seqno = this.contentCount * 2 + (needsAck ? 1 : 0);
    if (needsAck) this.contentCount++;
    this.waiting.push({ id: this.deps.nextId(kind), seqno, body, needsAck, answerTo });
    this.schedule();
  }

  /** Keeps an answer that the client has to ask for (`msg_resend_req`), and tells the client of it, in both forms in turn. */
  private announce(body: Buffer, answerTo: bigint): void {
    const id = this.deps.nextId('answer');
    this.unacknowledged.set(id, { id, seqno: this.contentCount++ * 2 + 1, body, needsAck: true, answerTo });
    const info = { answer_msg_id: id, bytes: body.length, status: 0 };
    const isNew = (this.announced += 1) % 2 === 0;
    this.notify(
      mtprotoSchema.write(
        isNew ? { _: 'msg_new_detailed_info', ...info } : { _: 'msg_detailed_info', msg_id: answerTo, ...info },
      ),
    );
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const flush = (): void => {
      this.holdTimer = undefined;
      this.flush();
      this.isScheduled = false;
    };
    const holdMs = this.deps.holdMs();
    if (holdMs > 0) this.holdTimer = setTimeout(flush, holdMs).unref();
    else setImmediate(flush);
  }

  private flush(): void {
    const send = this.deps.send();
    if (!send) {
      this.waiting = newest(this.waiting.filter(({ needsAck }) => needsAck));
      return;
    }
    if (this.acknowledgements.size > 0) {
      this.notify(mtprotoSchema.write({ _: 'msgs_ack', msg_ids: [...this.acknowledgements] }));
      this.acknowledgements.clear();
    }
    const messages = this.waiting;
    this.waiting = [];
    for (const batch of batches(messages)) send(this.packed(batch));
    for (const message of messages) if (message.needsAck) this.unacknowledged.set(message.id, message);
    this.forgetOldest();
  }

  /** A single message as it is, several in a container. */
  private packed(batch: readonly OutgoingMessage[]): MtprotoMessage {
    const [first] = batch;
    if (first && batch.length === 1) return first;
    return { id: this.deps.nextId('answer'), seqno: this.contentCount * 2, body: writeContainer(batch) };
  }

  private forgetOldest(): void {
    const kept = new Set(newest([...this.unacknowledged.values()]));
    if (kept.size === this.unacknowledged.size) return;
    for (const [id, message] of this.unacknowledged) if (!kept.has(message)) this.unacknowledged.delete(id);
  }
}

/** The newest messages within the limits of what is kept, in their order. */
function newest(messages: OutgoingMessage[]): OutgoingMessage[] {
  let bytes = 0;
  let from = messages.length;
  while (from > 0 && messages.length - from < MAX_KEPT_MESSAGES) {
    bytes += messages[from - 1]?.body.length ?? 0;
    if (bytes > MAX_KEPT_BYTES) break;
    from--;
  }
  return from === 0 ? messages : messages.slice(from);
}

function* batches(messages: readonly OutgoingMessage[]): Generator<OutgoingMessage[]> {
  let batch: OutgoingMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const isFull = batch.length === MAX_CONTAINER_MESSAGES || bytes + message.body.length > MAX_CONTAINER_BYTES;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += message.body.length;
  }
  if (batch.length > 0) yield batch;
}
