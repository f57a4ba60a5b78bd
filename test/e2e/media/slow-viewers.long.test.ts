import { get, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { bob } from '../../support/e2e/scene.ts';
import { daily, errorOf, useViewing } from '../../support/e2e/viewing-scene.ts';

/** Viewers of a public link that ask for much and read nothing. */

const viewing = useViewing();

/** Its head has come; its body is not read. */
function stall(path: string, first: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { range: `bytes=${first}-` };
    const request = get(viewing.scene.gateway.url + path, { agent: false, headers }, resolve).on('error', reject);
    onTestFinished(() => void request.destroy());
  });
}

it('[NB3.2] a link has 64 of them, and another link is served', async () => {
  // More than the connection itself holds.
  const id = await viewing.post(bob, { kind: 'document', size: 64 * 1024 * 1024 });
  const path = viewing.path(bob, id, 'file', 'bin');
  const viewers = await Promise.all(Array.from({ length: 64 }, () => stall(path, 0)));
  expect(viewers.map(({ statusCode }) => statusCode)).toEqual(viewers.map(() => 206));

  const refused = await viewing.view(path);
  expect(refused.status).toBe(429);
  expect(errorOf(refused)).toEqual({ statusCode: 429, message: 'too many viewers of this link' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const other = await viewing.newest(daily, 'photo');
  expect((await viewing.view(viewing.path(daily, other.id, 'photo'))).status).toBe(200);

  const [leaving] = viewers;
  leaving?.destroy();
  await expect.poll(async () => (await viewing.view(path, { range: 'bytes=0-9' })).status).toBe(206);
});
