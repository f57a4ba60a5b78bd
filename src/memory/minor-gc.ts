import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A few chunks, and what was made on their way. */
const sweepBytes = 4 * 1024 * 1024;

/**
 * What has been sent is garbage, and V8 lets 32 MB of buffers pile up before it looks (`AllocateExternalBackingStore` in
 * its heap.cc): several times what viewers need. So the young ones among them are collected, in about a millisecond, each
 * time so many bytes have been passed on.
 */
export class MinorGc {
  readonly #collect = minorCollection();
  #bytes = 0;

  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < sweepBytes) return;
    this.#bytes = 0;
    this.#collect({ type: 'minor' });
  }
}

/** V8's own, which is there without `--expose-gc` on the command line. */
function minorCollection(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as (options: { type: 'minor' }) => void;
}
