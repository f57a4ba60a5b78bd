import type { MTProtoSender } from 'telegram/network/MTProtoSender.js';
import type { RequestState } from 'telegram/network/RequestState.js';

/** Private names of GramJS's queue of what a sender has yet to send. */
interface SendQueue {
  /** Undefined wakes who waits. */
  _queue: (RequestState | undefined)[];
  setReady?: (isReady: true) => void;
  append(state: RequestState | undefined, setReady?: boolean, atStart?: boolean): void;
  wait(): Promise<void>;
}

const queueOf = (sender: MTProtoSender): SendQueue => (sender as unknown as { _sendQueue: SendQueue })._sendQueue;

/**
 * Whatever is asked for in one turn of the event loop leaves in one packet: encrypted once, written once. And the queue
 * is nothing but a queue: GramJS's would chain requests to one another (invokeAfterMsg), which ours never are, and keep
 * a second list of all that are not answered, with two promises for each.
 */
export function gatherRequests(sender: MTProtoSender): void {
  const queue = queueOf(sender);
  const waitForFirst = queue.wait.bind(queue);
  queue.wait = async () => {
    await waitForFirst();
    await new Promise(setImmediate);
  };
  queue.append = (state, setReady = true, atStart = false) => {
    if (atStart) queue._queue.unshift(state);
    else queue._queue.push(state);
    if (setReady) queue.setReady?.(true);
  };
}

/** What has not left yet. */
export const queuedIn = (sender: MTProtoSender): readonly (RequestState | undefined)[] => queueOf(sender)._queue;
