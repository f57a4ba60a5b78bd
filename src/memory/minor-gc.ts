import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isEarlyFreeing } from './early-freeing.ts';

/** A few chunks of a file, and the buffers that were made on their way. */
const bytesPerCollection = 4 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

/**
 * Collects the young generation, in about a millisecond, each time 4 MB of buffers have been made (ADR 14). V8 itself lets
 * 32 MB of them pile up first (`AllocateExternalBackingStore` in its heap.cc), several times what viewers need.
 */
export class MinorGc {
  readonly #collect = isEarlyFreeing() ? minorCollection() : undefined;
  #bytes = 0;

  /** @param bytes of buffers that were made since the last call */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < bytesPerCollection) return;
    this.#bytes = 0;
    this.#collect?.({ type: 'minor' });
  }
}

/** V8's own function. Setting the flag here spares `--expose-gc` on the command line. */
function minorCollection(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
