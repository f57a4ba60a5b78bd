import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bob } from '../../support/e2e/scene.ts';
import { chunk, sha256, useViewing } from '../../support/e2e/viewing-scene.ts';

/** What viewers cost Telegram: who watches together, who leaves, and who is slow. */

const viewing = useViewing();
const { calls, original, path, post, view } = viewing;

const megabyte = 1024 * 1024;

/** The offsets, in chunks, that Telegram has been asked for since. */
async function fetched(since = 0): Promise<number[]> {
  const all = await calls('upload.getFile');
  return all.slice(since).map(({ params }) => Number(params['offset']) / chunk);
}

/** Until Telegram has been asked for nothing more for a while: the number of calls. */
async function quiet(): Promise<number> {
  let count = -1;
  for (let same = 0; same < 20; same++) {
    const { length } = await calls('upload.getFile');
    if (length !== count) same = 0;
    count = length;
    await viewing.scene.clock.settle();
  }
  return count;
}

/** An answer that is read no further than its headers. */
async function begin(link: string): Promise<IncomingMessage> {
  const request = get(viewing.scene.gateway.url + link);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Reads so many bytes, and no more. */
async function take(response: IncomingMessage, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const part = response.read() as Buffer | null;
    if (part === null) await once(response, 'readable');
    else left -= part.length;
  }
}

describe('viewers', () => {
  it('[ME4.1] 8 of one cold file of 20 MB: each chunk is fetched once', async () => {
    const id = await post(bob, { kind: 'document', size: 20 * megabyte });
    const link = path(bob, id, 'file', 'bin');
    const expected = sha256(await original(bob, id));
    const before = (await calls('upload.getFile')).length;
    const shown = await Promise.all(
      Array.from({ length: 8 }, async (_viewer, index) => {
        // Some come when others are in the middle of it.
        for (let turn = 0; turn < index * 3; turn++) await viewing.scene.clock.settle();
        return view(link);
      }),
    );
    expect(shown.map(({ bytes }) => sha256(bytes))).toEqual(Array(8).fill(expected));
    const offsets = await fetched(before);
    expect(offsets.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_chunk, index) => index));
  });

  it('[ME4.1] who seeks has only those chunks fetched that were asked for', async () => {
    const id = await post(bob, { kind: 'document', size: 8 * megabyte });
    const link = path(bob, id, 'file', 'bin');
    const before = (await calls('upload.getFile')).length;
    await view(link, { range: `bytes=${9 * chunk + 5}-${11 * chunk}` });
    await view(link, { range: 'bytes=-1' });
    expect(await fetched(before)).toEqual([9, 10, 11, 15]);
  });

  it('[ME4.1] who reads slowly is fetched for slowly, and who leaves is fetched for no more', async () => {
    const size = 60 * megabyte;
    const id = await post(bob, { kind: 'document', size });
    const before = (await calls('upload.getFile')).length;
    const response = await begin(path(bob, id, 'file', 'bin'));
    await take(response, 3 * megabyte);
    // What the kernel holds of it for a reader is all that is fetched ahead, but for two chunks.
    const reached = await quiet();
    expect(reached - before).toBeLessThan(size / chunk / 2);
    await take(response, 10 * megabyte);
    const further = await quiet();
    expect(further).toBeGreaterThan(reached);
    expect(further - before).toBeLessThan(size / chunk / 2);
    response.destroy();
    expect((await quiet()) - further).toBeLessThanOrEqual(1);
  });

  it('[ME4.1] a fetch goes on as long as one viewer wants it, and ends with the last', async () => {
    const id = await post(bob, { kind: 'document', size: 4 * chunk });
    const link = path(bob, id, 'file', 'bin');
    await viewing.fault({ method: 'upload.getFile', delayMs: 400 });
    const before = (await calls('upload.getFile')).length;
    const leaver = new AbortController();
    const leaving = fetch(viewing.scene.gateway.url + link, { signal: leaver.signal }).catch(() => 'left');
    const staying = view(link, { range: 'bytes=0-99' });
    while ((await calls('upload.getFile')).length === before) await viewing.scene.clock.settle();
    leaver.abort();
    expect(await leaving).toBe('left');
    const shown = await staying;
    expect(shown.bytes.equals((await original(bob, id)).subarray(0, 100))).toBe(true);
    expect(await fetched(before)).toEqual([0]);
  });

  it('[ME2.2] all of a page’s pictures are looked up in few requests', async () => {
    const ids: number[] = [];
    for (let picture = 0; picture < 40; picture++) ids.push(await post(bob, { kind: 'photo', width: 60, height: 40 }));
    const before = (await calls('messages.getMessages')).length;
    const shown = await Promise.all(ids.map((id) => view(path(bob, id, 'photo'))));
    expect(shown.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect((await calls('messages.getMessages')).length - before).toBeLessThan(20);
  });
});
