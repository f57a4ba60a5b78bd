import { once } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { chunkBytes } from '../../../../src/media/links/byte-range.ts';
import { ChunkStream } from '../../../../src/media/links/chunk-stream.ts';

/** A file of many chunks, fetched when the test says so. */
function slowFile(chunks: number) {
  const asked: { index: number; signal: LightAbortSignal; arrive: () => void }[] = [];
  const fetch = (index: number, signal: LightAbortSignal): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      asked.push({ index, signal, arrive: () => resolve(Buffer.alloc(chunkBytes, index)) });
    });
  const stream = new ChunkStream({ first: 0, last: chunks * chunkBytes - 1 }, fetch);
  return { asked, stream };
}

const turn = (): Promise<void> => new Promise(setImmediate);

describe('a stream of chunks', () => {
  it('[ME4.1] one chunk is fetched ahead of what was read, and no more', async () => {
    const { asked, stream } = slowFile(10);
    for (let read = 0; read < 4; read++) {
      const readable = new Promise((resolve) => stream.once('readable', resolve));
      if (read === 0) stream.read(0);
      asked.at(-1)?.arrive();
      await readable;
      expect((stream.read() as Buffer)[0]).toBe(read);
      await turn();
      expect(asked.map(({ index }) => index)).toEqual(Array.from({ length: read + 2 }, (_, index) => index));
    }
    // The one ahead is there, and nobody reads it.
    asked.at(-1)?.arrive();
    await turn();
    await turn();
    expect(asked).toHaveLength(5);
    stream.destroy();
  });

  it('[ME4.1] a viewer that leaves stops the fetch that is under way, and none begins after it', async () => {
    const { asked, stream } = slowFile(10);
    const first = new Promise((resolve) => stream.once('data', resolve));
    await turn();
    asked[0]?.arrive();
    await first;
    await turn();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    stream.destroy();
    expect(asked.at(-1)?.signal.aborted).toBe(true);
    await turn();
    expect(asked).toHaveLength(2);
  });

  it('[NB3.4] a viewer that takes nothing of the first chunk has no other fetched, and gets them all once it does', async () => {
    const { asked, stream } = slowFile(3);
    const taken: number[] = [];
    let goOn: (() => void) | undefined;
    const connection = new Writable({
      highWaterMark: 1,
      write: (bytes: Buffer, _encoding, done) => {
        taken.push(bytes[0] ?? -1);
        if (taken.length > 1) done();
        else goOn = done;
      },
    });
    stream.pipe(connection);
    await turn();
    asked[0]?.arrive();
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect([taken, asked.length]).toEqual([[0], 1]);
    goOn?.();
    await turn();
    expect(asked.length).toBe(2);
    const ended = once(connection, 'finish');
    asked[1]?.arrive();
    while (asked.length < 3) await turn();
    asked[2]?.arrive();
    await ended;
    expect(taken).toEqual([0, 1, 2]);
  });

  it('[ME4.1] a chunk that fails ends the stream with its error', async () => {
    const stream = new ChunkStream({ first: 0, last: 9 }, () => Promise.reject(new Error('gone')));
    const failed = new Promise((resolve) => stream.once('error', resolve));
    stream.resume();
    expect(await failed).toMatchObject({ message: 'gone' });
  });
});
