import type { MTProtoSender } from 'telegram/network/MTProtoSender.js';
import type { RequestState } from 'telegram/network/RequestState.js';
import { MessageContainer } from 'telegram/tl/core/MessageContainer.js';
import { lengthOf, type Packing, type Pieces } from './packing.ts';

/** Private names of GramJS's queue of outgoing requests. */
export interface SendQueue {
  /** Undefined wakes the reader. */
  _queue: (RequestState | undefined)[];
  _ready: Promise<void> | undefined;
  setReady: () => void;
  append(state: RequestState | undefined, setReady?: boolean, atStart?: boolean): void;
  get(): Promise<{ batch: RequestState[]; data: Pieces } | undefined>;
}

/** The overhead of a message beside its bytes. */
const messageHeaderBytes = 16;

interface Sender {
  _sendQueue: SendQueue;
  _state: Packing;
}

const queueOf = (sender: MTProtoSender): SendQueue => (sender as unknown as Sender)._sendQueue;

/**
 * Requests that are to leave together are packed into one packet: encrypted once, written once. The queue does nothing
 * else. GramJS's queue would chain requests to one another (invokeAfterMsg), which the gateway never does, keep a
 * second list of unanswered requests with two promises for each, and copy the bytes of a packet up to four times.
 * @param onWaiting called when a request waits, instead of a promise that stands open on every idle connection
 */
export function gatherRequests(sender: MTProtoSender, onWaiting: () => void): void {
  const queue = queueOf(sender);
  queue._ready = undefined;
  queue.setReady = onWaiting;
  queue.append = (state, setReady = true, atStart = false) => {
    if (atStart) queue._queue.unshift(state);
    else queue._queue.push(state);
    if (setReady) onWaiting();
  };
  const { _state: packing } = sender as unknown as Sender;
  queue.get = async () => {
    const batch = takeBatch(queue._queue);
    return batch.length === 0 ? undefined : { batch, data: await packed(packing, batch) };
  };
}

/** The entries of one packet; none if the newest entry only wakes the reader. */
function takeBatch(queue: (RequestState | undefined)[]): RequestState[] {
  const waiting = queue.filter((state) => state !== undefined);
  const most = queue.at(-1) === undefined ? 0 : Math.min(waiting.length, MessageContainer.MAXIMUM_LENGTH);
  let count = 0;
  for (let bytes = 0; count < most; count++) {
    bytes += (waiting[count]?.data.length ?? 0) + messageHeaderBytes;
    if (count > 0 && bytes > MessageContainer.MAXIMUM_SIZE) break;
  }
  queue.splice(0, queue.length, ...waiting.slice(count));
  return waiting.slice(0, count);
}

/** Puts several messages into one container (https://core.telegram.org/mtproto/service_messages#containers). */
async function packed(packing: Packing, batch: readonly RequestState[]): Promise<Pieces> {
  const pieces: Buffer[] = [];
  const writer = { write: (piece: Buffer) => void pieces.push(piece) };
  for (const state of batch) {
    const isContent = (state.request as { classType: string }).classType === 'request';
    state.msgId = await packing.writeDataAsMessage(writer, state.data, isContent);
  }
  if (batch.length === 1) {
    // It may have been in a container when it was sent before.
    for (const state of batch) state.containerId = undefined;
    return pieces;
  }
  const container = Buffer.allocUnsafe(8);
  container.writeUInt32LE(MessageContainer.CONSTRUCTOR_ID, 0);
  container.writeInt32LE(batch.length, 4);
  const { id, header } = packing.messageHeader(container.length + lengthOf(pieces), false);
  for (const state of batch) state.containerId = id;
  return [header, container, ...pieces];
}

/** The entries that were not sent yet. */
export const queuedIn = (sender: MTProtoSender): readonly (RequestState | undefined)[] => queueOf(sender)._queue;
