import { MessageChannel } from 'node:worker_threads';

const { port1: toNobody, port2: nobody } = new MessageChannel();
nobody.close();

/** Less is left to V8, which is as fast then. */
const worthBytes = 32 * 1024;

/**
 * Frees memory that nobody looks at any more, by moving it to a port that nobody listens to. The bytes must have their
 * memory to themselves (not of `Buffer`'s pool), and are none afterwards.
 *
 * V8 looks for garbage in the whole heap whenever more `Buffer`s were made since the last time than a third to a half of
 * the heap: for a file of 100 MB, copied a few times on its way, that is fifty times, and twice the work of sending it.
 */
export function detachBuffer(bytes: Buffer): void {
  if (bytes.length >= worthBytes && bytes.length === bytes.buffer.byteLength)
    toNobody.postMessage(undefined, [bytes.buffer as ArrayBuffer]);
}
