import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { chunkBytes } from '../../../../src/media/links/byte-range.ts';
import type { MediaFile } from '../../../../src/media/links/media-files.ts';
import { type MediaRequestToView, type MediaResponse, viewMedia } from '../../../../src/media/links/view-media.ts';

const etag = (size: number): string => `"d1-${size}"`;
const base = {
  'content-type': 'image/jpeg',
  'content-disposition': 'inline',
  'content-security-policy': expect.stringMatching(/^default-src 'none'; /),
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=86400',
  'accept-ranges': 'bytes',
};

interface View {
  response: MediaResponse;
  body: Buffer | undefined;
  /** The chunks that were asked for, and whether the headers were out by then. */
  asked: [index: number, isBegun: boolean | undefined][];
  /** The ranges that had to be there. */
  needed: unknown[];
}

/** Views a file of `size` bytes that count from 0 to 250, over and over. */
async function view(size: number, request: Partial<MediaRequestToView> = {}): Promise<View> {
  const content = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
  const asked: View['asked'] = [];
  const needed: unknown[] = [];
  const file: MediaFile = {
    facts: { id: 'd1', size, mimetype: 'image/jpeg', name: '' },
    mustHave: (range) => needed.push(range),
    chunk: async (index, _signal, isBegun) => {
      asked.push([index, isBegun]);
      return content.subarray(index * chunkBytes, (index + 1) * chunkBytes);
    },
  };
  const headers = { method: 'GET', range: undefined, ifRange: undefined, ifNoneMatch: undefined } as const;
  const response = await viewMedia(file, { ...headers, ...request }, new LightAbort());
  return { response, body: response.body && (await buffer(response.body)), asked, needed };
}

describe('the response to a viewer', () => {
  it('[ME3.1] is the whole file', async () => {
    const { response, body, needed } = await view(10);
    expect(response).toMatchObject({ status: 200, headers: { ...base, etag: etag(10), 'content-length': 10 } });
    expect(response.headers).not.toHaveProperty('content-range');
    expect(body).toEqual(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(needed).toEqual([{ first: 0, last: 9 }]);
  });

  it('[ME3.1] is the part that is asked for', async () => {
    const { response, body, needed } = await view(10, { range: 'bytes=2-4' });
    expect(response.status).toBe(206);
    expect(response.headers).toEqual({ ...base, etag: etag(10), 'content-length': 3, 'content-range': 'bytes 2-4/10' });
    expect(body).toEqual(Buffer.from([2, 3, 4]));
    expect(needed).toEqual([{ first: 2, last: 4 }]);
  });

  it('[ME3.1] is an error with the size, for a part outside the file', async () => {
    const { response, asked } = await view(10, { range: 'bytes=10-' });
    const headers = { 'accept-ranges': 'bytes', 'content-range': 'bytes */10' };
    expect(response).toEqual({ status: 416, headers, body: undefined });
    expect(asked).toEqual([]);
  });

  it('[ME3.1] to HEAD says what GET would give whole, and fetches nothing', async () => {
    const { response, asked } = await view(10, { method: 'HEAD', range: 'bytes=2-4' });
    expect(response).toEqual({
      status: 200,
      headers: { ...base, etag: etag(10), 'content-length': 10 },
      body: undefined,
    });
    expect(asked).toEqual([]);
  });

  it('[ME3.1] to a view of an empty file has no body', async () => {
    const { response, asked } = await view(0);
    expect(response).toMatchObject({ status: 200, headers: { 'content-length': 0 }, body: undefined });
    expect(asked).toEqual([]);
  });

  it('[ME3.2] is the whole file for a part of another version, and the part for one of this', async () => {
    expect((await view(10, { range: 'bytes=2-4', ifRange: '"d2-10"' })).response.status).toBe(200);
    expect((await view(10, { range: 'bytes=2-4', ifRange: etag(10) })).response.status).toBe(206);
  });

  it('[ME3.2] is that nothing has changed, for a version that is known', async () => {
    const { response, asked } = await view(10, { ifNoneMatch: etag(10) });
    expect(response).toEqual({
      status: 304,
      headers: { etag: etag(10), 'cache-control': 'public, max-age=86400' },
      body: undefined,
    });
    expect(asked).toEqual([]);
  });

  it('[ME4.1] has its first chunk before the headers are out, fetched once; the others follow', async () => {
    const size = 2 * chunkBytes + 5;
    const { body, asked } = await view(size, { range: `bytes=${chunkBytes - 1}-` });
    expect(asked).toEqual([
      [0, undefined],
      [1, true],
      [2, true],
    ]);
    expect(body).toHaveLength(chunkBytes + 6);
    expect(body?.[0]).toBe((chunkBytes - 1) % 251);
  });
});
