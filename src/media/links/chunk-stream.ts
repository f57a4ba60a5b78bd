import { Readable } from 'node:stream';
import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { type ByteRange, chunkOf, sliceOfChunk } from './byte-range.ts';

/**
 * The bytes of a range, chunk after chunk. While one is sent to the viewer the next is fetched, and no more: a slow
 * viewer holds at most two chunks, and one that reads nothing holds one. When it is destroyed, it fetches no more.
 */
export class ChunkStream extends Readable {
  readonly #range: ByteRange;
  readonly #chunk: (index: number, signal: LightAbortSignal) => Promise<Buffer>;
  readonly #left = new LightAbort();
  readonly #first: number;
  #next: number;
  /** Bytes that were handed on to the viewer's connection. */
  bytes = 0;

  constructor(range: ByteRange, chunk: (index: number, signal: LightAbortSignal) => Promise<Buffer>) {
    // Full as soon as it holds one chunk: Node asks for the next chunk when it sends this one on.
    super({ highWaterMark: 1 });
    this.#range = range;
    this.#chunk = chunk;
    this.#first = chunkOf(range.first);
    this.#next = this.#first;
  }

  override _read(): void {
    const index = this.#next;
    if (index > chunkOf(this.#range.last)) {
      this.push(null);
      return;
    }
    // A viewer that has not taken all of the first chunk may never take any of it: nothing is fetched ahead for it.
    if (index === this.#first + 1 && this.#isHeldUp()) {
      this.once('resume', () => this._read());
      return;
    }
    this.#next += 1;
    this.#chunk(index, this.#left).then(
      (bytes) => {
        const { start, end } = sliceOfChunk(index, this.#range);
        this.bytes += end - start;
        this.push(bytes.subarray(start, end));
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error('a chunk failed', { cause: error })),
    );
  }

  /** The pipe has paused it: the viewer's connection is full. */
  #isHeldUp(): boolean {
    return this.readableFlowing === false && this.listenerCount('readable') === 0;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#left.abort(error ?? new Error('the viewer has left'));
    callback(error);
  }
}
