import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';

/** The largest file that `POST /file` takes: in flat memory, broken off, repeated, over the share. */

const megabyte = 1024 * 1024;
const largest = 2_097_152_000;
/** Two of the largest files are half of it. */
const environment = { MEDIA_TEMP_BYTES: String(4 * largest) };
const writing = useWriting({ environment });
/** Buffers of the two ends of a connection and of the file, and what V8 has not freed yet. */
const maxGrowth = 150 * megabyte;
const block = Buffer.alloc(megabyte);

function begin(announced: number): ClientRequest {
  return request(`${writing.scene.gateway.url}/file`, {
    method: 'POST',
    headers: { ...writing.caller.headers, 'content-length': announced },
    agent: false,
  });
}
/** Sends so many bytes, as fast as they are taken. @returns the most memory that the process had meanwhile */
async function write(upload: ClientRequest, bytes: number): Promise<number> {
  let peak = 0;
  for (let left = bytes; left > 0; left -= block.length) {
    if (!upload.write(left < block.length ? block.subarray(0, left) : block)) await once(upload, 'drain');
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  return peak;
}
async function answerOf(upload: ClientRequest): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, body: JSON.parse(text) as Record<string, unknown> };
}
const kept = (): string[] => readdirSync(join(writing.scene.gateway.dataDir, 'uploads'));

it('[MX1.12] [MX1.13] [NB2.5] 2,097,152,000 bytes: in flat memory, broken off, again, over the share', async () => {
  const before = process.memoryUsage.rss();

  const broken = begin(largest);
  broken.on('error', () => {});
  await write(broken, largest - megabyte);
  expect(kept()).toHaveLength(1);
  broken.destroy();
  await expect.poll(kept).toEqual([]);

  const ids: unknown[] = [];
  for (const count of [1, 2]) {
    const upload = begin(largest);
    const peak = await write(upload, largest);
    upload.end();
    const { status, body } = await answerOf(upload);
    expect([status, body['size']]).toEqual([200, largest]);
    expect(peak - before).toBeLessThan(maxGrowth);
    expect(kept()).toHaveLength(count);
    ids.push(body['id']);
  }

  const third = begin(largest);
  third.on('error', () => {});
  third.flushHeaders();
  expect(await answerOf(third)).toMatchObject(refused(429, 'too many files of this session are kept'));
  third.destroy();
  expect(kept()).toHaveLength(2);

  await writing.scene.pass(3_600_000);
  await expect.poll(kept).toEqual([]);
  const document = { file: ids[0], name: 'a.bin', size: largest, mimetype: 'application/octet-stream' };
  const late = await writing.send({ user: bob, type: 'document', document });
  expect(late).toMatchObject(refused(400, 'file not found'));
});
