import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** What the files of sends take together, of one session and of all (NB2). */

const megabyte = 1024 * 1024;
const files = useFiles();
const writing = useWriting({ environment: { ALLOW_PRIVATE_URLS: 'true', MEDIA_TEMP_BYTES: String(4 * megabyte) } });
/** The servers that have not ended yet. */
const servers = new Set<ServerResponse>();
afterEach(() => {
  for (const server of servers) server.end();
  servers.clear();
});

const documentAt = (url: string): object => {
  const document = { url, name: 'a.bin', size: 5, mimetype: 'application/octet-stream' };
  return { user: bob, type: 'document', document };
};
const sendAs = (caller: Caller, url: string, headers: object = {}): Promise<Answer> =>
  writing.scene.gateway.http.request('POST', '/message', {
    headers: { ...caller.headers, ...headers },
    body: documentAt(url),
  });

/** A send whose file does not come to its end before the test does. */
async function stalled(caller: Caller, announced: number | undefined, first = 5): Promise<{ answer: Promise<Answer> }> {
  let answer: Promise<Answer> | undefined;
  await new Promise<void>((asked) => {
    const url = files.serve((response) => {
      servers.add(response);
      if (announced !== undefined) response.setHeader('content-length', announced);
      response.write(Buffer.alloc(first));
      asked();
    });
    answer = sendAs(caller, url);
  });
  return { answer: answer as Promise<Answer> };
}
const whole = (): string => files.serve(Buffer.alloc(1000, 1));

describe('files under way', () => {
  it('[NB2.2] are those of 8 sends a session: more are 429, with the time to wait, and other sessions go on', async () => {
    const other = await writing.scene.connected(ann);
    const sends = [];
    for (let count = 0; count < 8; count += 1) sends.push(await stalled(writing.caller, undefined));
    for (const headers of [{}, { 'idempotency-key': 'ninth' }]) {
      const ninth = await sendAs(writing.caller, whole(), headers);
      expect(ninth).toMatchObject(refused(429, 'too many files of this session are under way'));
      expect(Number(ninth.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await writing.send({ user: bob, text: 'a text has no file' })).toMatchObject({ status: 200 });
    expect(await sendAs(other, whole())).toMatchObject({ status: 200 });
    for (const server of servers) server.end();
    for (const { answer } of sends) expect(await answer).toMatchObject({ status: 200 });
    expect(await sendAs(writing.caller, whole(), { 'idempotency-key': 'ninth' })).toMatchObject({ status: 200 });
  });

  it('[NB2.1] [NB2.3] take MEDIA_TEMP_BYTES together, half of it for one session, and leave none behind', async () => {
    const [second, third] = [await writing.scene.connected(ann), await writing.scene.connected(ann)];
    const small = await stalled(writing.caller, 3 * megabyte);
    const own = await sendAs(writing.caller, files.serve(Buffer.alloc(100)));
    expect(own).toMatchObject(refused(429, 'too many files of this session are under way'));
    const unannounced = await stalled(second, undefined);
    for (const server of servers) server.write(Buffer.alloc(megabyte + megabyte / 2));
    expect(await unannounced.answer).toMatchObject(refused(503, 'too many files are under way'));
    const more = await sendAs(third, files.serve(Buffer.alloc(megabyte + 1)));
    expect(more).toMatchObject(refused(503, 'too many files are under way'));
    expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await sendAs(third, files.serve(Buffer.alloc(megabyte)))).toMatchObject({ status: 200 });
    for (const server of servers) server.destroy();
    expect(await small.answer).toMatchObject({ status: 500 });
    await expect.poll(() => readdirSync(join(writing.scene.gateway.dataDir, 'tmp'))).toEqual([]);
  });

  it('[NB2.1] are never larger than that: such a file is refused for good', async () => {
    const { body, status } = await sendAs(writing.caller, files.serve(Buffer.alloc(4 * megabyte + 1)));
    expect(status).toBe(500);
    expect(body['message']).toMatch(/: it is larger than 4194304 bytes$/);
  });
});
