import { MessageChannel } from 'node:worker_threads';
import { isEarlyFreeing } from './early-freeing.ts';

const { port1: sender, port2: receiver } = new MessageChannel();
receiver.close();

/** Smaller buffers are left to V8, which is as fast for them. */
const minBytes = 32 * 1024;

/**
 * Frees the memory of a buffer that is no longer used, by transferring it to a closed port (ADR 14). The buffer is empty
 * afterwards. A buffer that shares its memory with others, as those of `Buffer`'s pool do, is left alone.
 */
export function detachBuffer(bytes: Buffer): void {
  if (!isEarlyFreeing()) return;
  if (bytes.length >= minBytes && bytes.length === bytes.buffer.byteLength) {
    sender.postMessage(undefined, [bytes.buffer as ArrayBuffer]);
  }
}
