import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

/** What a receiver is sent of everything that can happen in a private chat, as the published documents have it. */

const token = 'the token, word for word';
const verifier = new Webhook(Buffer.from(token), { format: 'raw' });
const ajv = new Ajv2020({ strict: false });
const schemaOf = (type: string): object => JSON.parse(readFileSync(`docs/webhooks/${type}.json`, 'utf8')) as object;

let scene: Scene;
let receiver: WebServer;
let caller: Caller;
let received: Payload[];
let faults: string[];

beforeEach(async () => {
  received = [];
  faults = [];
  receiver = await startWebServer((request, response) => {
    void text(request).then((body) => {
      try {
        const payload = verifier.verify(body, request.headers as Record<string, string>) as Payload;
        received.push(payload);
        if (!ajv.validate(schemaOf(payload.type), payload)) faults.push(`${ajv.errorsText()}: ${body}`);
        if (request.headers['x-token'] !== token) faults.push('x-token');
      } catch (error) {
        faults.push(`${String(error)}: ${body}`);
      }
      response.writeHead(204).end();
    });
  });
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  caller = await scene.connected(ann);
  await scene.request(caller, 'PUT', '/session/webhook', { url: receiver.url, token });
});
afterEach(async () => {
  await receiver.close();
  await scene.close();
});

/** The last one. Time stands still. */
async function arrived(count: number): Promise<Payload> {
  while (received.length + faults.length < count) await scene.clock.advance(0);
  expect(faults).toEqual([]);
  expect(received).toHaveLength(count);
  return received[count - 1] as Payload;
}

async function write(body: object, from = bob, peer = ann): Promise<string> {
  const path = `/accounts/${from}/messages`;
  const { messageId } = await scene.sandbox.call<{ messageId: string }>('POST', path, { peer, ...body });
  return messageId;
}

const sha256 = (bytes: ArrayBuffer): string => createHash('sha256').update(Buffer.from(bytes)).digest('hex');
async function fileAt(url: string): Promise<{ type: string | null; hash: string }> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return { type: response.headers.get('content-type'), hash: sha256(await response.arrayBuffer()) };
}

/** As the account's phone downloads it. */
async function originalHash(id: string, size = ''): Promise<string> {
  const path = `/accounts/${ann}/messages/${bob}/${id}/file${size && `?size=${size}`}`;
  return sha256(await (await fetch(scene.sandbox.url + path)).arrayBuffer());
}

interface Linked {
  url: string;
  thumbnail?: string;
  mimetype: string;
}
const linkedIn = ({ data }: Payload): Linked | undefined =>
  Object.values(data).find((part): part is Linked => typeof part === 'object' && part !== null && 'url' in part);

it.each([
  ['photo', 'image'],
  ['video', 'video'],
  ['round', 'video'],
  ['gif', 'video'],
  ['audio', 'audio'],
  ['voice', 'voice'],
  ['document', 'document'],
  ['sticker', 'sticker'],
  ['animatedSticker', 'sticker'],
])('[WH3.1] a %s is told with links that bring its files, also after a restart', async (kind, type) => {
  await write({ text: type === 'sticker' ? '' : 'look', media: { kind } });
  const payload = await arrived(1);
  expect(payload).toMatchObject({ type: 'message', data: { type, fromMe: false, chatId: bob } });
  const linked = linkedIn(payload);
  const { id } = payload.data as { id: string };
  // The largest size; of what moves, the picture that is kept of it.
  const size = { photo: 'y', animatedSticker: 'thumbnail' }[kind];
  const whole = await originalHash(id, size);
  for (let starts = 0; starts < 2; starts += 1) {
    const url = linked?.url.replace(/^http:\/\/[^/]+/, scene.gateway.url) ?? '';
    expect(await fileAt(url)).toEqual({ type: linked?.mimetype, hash: whole });
    const thumbnail = linked?.thumbnail?.replace(/^http:\/\/[^/]+/, scene.gateway.url) ?? '';
    if (thumbnail !== '') expect((await fileAt(thumbnail)).type).toBe('image/jpeg');
    if (starts > 0) continue;
    await scene.restart();
    await scene.gateway.started;
    await scene.read(caller, ({ isConnected }) => isConnected);
  }
  // Those of which there is one.
  if (['photo', 'video'].includes(kind)) expect(linked?.thumbnail).not.toBe('');
});

it.each([
  [{ kind: 'poll' }, 'poll', { polling: { name: expect.any(String), options: expect.any(Array) } }],
  [{ kind: 'location' }, 'location', { location: { name: '', address: '' } }],
  [{ kind: 'venue' }, 'location', { location: { name: expect.stringMatching(/./) } }],
  [{ kind: 'contact' }, 'contact', { contact: { phone: expect.stringMatching(/^\d+$/) } }],
  [{ kind: 'webpage' }, 'text', {}],
  [{ kind: 'dice' }, 'text', { text: 'UNSUPPORTED TYPE' }],
])('[WH3.1] %j is told as its schema says', async (media, type, expected) => {
  await write({ text: media.kind === 'webpage' ? 'https://example.org' : '', media });
  expect(await arrived(1)).toMatchObject({ type: 'message', data: { type, ...expected } });
});

it('[WH3.1] edits, reads, deletions, answers, tests and what the owner writes are told as their schemas say', async () => {
  const first = await write({ text: 'one' });
  const { data } = await arrived(1);
  const { id } = data as { id: string };
  const second = await write({ text: 'two', replyTo: Number(id) }, ann, bob);
  expect(await arrived(2)).toMatchObject({ seq: 2, data: { fromMe: true, replyTo: id, user: { id: bob } } });
  await scene.sandbox.call('PATCH', `/accounts/${bob}/messages/${ann}/${first}`, { text: 'one and a half' });
  expect(await arrived(3)).toMatchObject({ type: 'message.edited', data: { id, text: 'one and a half' } });
  await scene.sandbox.call('POST', `/accounts/${bob}/read`, { peer: ann });
  expect(await arrived(4)).toMatchObject({ type: 'message.read', data: { fromMe: false, chatId: bob } });
  await scene.sandbox.call('POST', `/accounts/${ann}/read`, { peer: bob });
  expect(await arrived(5)).toMatchObject({ type: 'message.read', data: { fromMe: true, upTo: second } });
  await scene.sandbox.call('DELETE', `/accounts/${bob}/messages/${ann}/${first}`);
  expect(await arrived(6)).toMatchObject({ type: 'message.deleted', data: { messageIds: [id], chatId: bob } });
  await scene.request(caller, 'POST', '/session/webhook/test');
  expect(await arrived(7)).toMatchObject({ type: 'test', seq: 0, session: { id: caller.id, generatedId: ann } });
  const third = await write({ text: 'a picture', media: { kind: 'photo' } });
  await arrived(8);
  await scene.sandbox.call('PATCH', `/accounts/${bob}/messages/${ann}/${third}`, { text: 'a better word' });
  expect(await arrived(9)).toMatchObject({
    seq: 8,
    type: 'message.edited',
    data: { type: 'image', text: 'a better word', image: { mimetype: 'image/jpeg' } },
  });
});

it('[WH3.5] the picture of the other side is a link that opens', async () => {
  const pictureOf = ({ data }: Payload): string => (data as { user: { picture: string } }).user.picture;
  await scene.sandbox.call('PATCH', `/accounts/${bob}`, { photo: true });
  await write({ text: 'one' });
  const picture = pictureOf(await arrived(1));
  expect(picture).toMatch(new RegExp(`/media/${caller.id}/${bob}/\\d+/profile/[\\w-]+\\.jpg$`));
  expect(await fileAt(picture)).toMatchObject({ type: 'image/jpeg' });
  await scene.sandbox.call('PATCH', '/accounts/1003', { photo: false });
  await write({ text: 'two' }, '1003');
  expect(pictureOf(await arrived(2))).toBe('');
});
