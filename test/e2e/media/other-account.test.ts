import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMediaLinks } from '../../../src/media/links/media-link.ts';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

/** One session, two accounts after another: what belongs to the first is not the second's. */

const cara = '1003';
const helperBot = '1004';
const linkKey = Buffer.alloc(32, 6);
const links = createMediaLinks({ keys: [linkKey], publicUrl: () => '' });

let scene: Scene;
let caller: Caller;
beforeEach(async () => {
  scene = await openScene({ environment: { MEDIA_LINK_KEYS: linkKey.toString('hex') } });
  caller = await scene.connected(ann);
});
afterEach(() => scene.close());

async function logInAs(userId: string): Promise<void> {
  await scene.request(caller, 'POST', '/session/reset');
  await scene.scan(caller, userId);
  await scene.read(caller, (session) => session.isConnected);
}

/** An account's phone sends a document. @returns the message ID, which counts per account */
async function postDocument(userId: string): Promise<number> {
  const body = { peer: helperBot, media: { kind: 'document', size: 1000 } };
  const sent = await scene.sandbox.call<{ messageId: string }>('POST', `/accounts/${userId}/messages`, body);
  return Number(sent.messageId);
}

const view = async (path: string): Promise<number> => (await fetch(scene.gateway.url + path)).status;

it('[ME1.4] a link of one account opens nothing of the next, and works again for the first', async () => {
  let message = await postDocument(ann);
  let others = await postDocument(cara);
  while (message < others) message = await postDocument(ann);
  while (others < message) others = await postDocument(cara);
  expect(others).toBe(message);
  const ref = { chatId: helperBot, messageId: String(message), variant: 'file' } as const;
  const link = links.link(caller.id, ann, ref, 'bin');
  expect(await view(link)).toBe(200);

  await logInAs(cara);
  expect(await view(link)).toBe(404);
  expect(await view(links.link(caller.id, cara, ref, 'bin'))).toBe(200);

  await logInAs(ann);
  expect(await view(link)).toBe(200);
  expect(await view(links.link(caller.id, cara, ref, 'bin'))).toBe(404);
});

it('[MS7.6] a key of one account is new to the next, and known when the first is back', async () => {
  const post = async (text: string): Promise<unknown> => {
    const headers = { ...caller.headers, 'idempotency-key': 'k1' };
    const body = { username: 'helperbot', type: 'text', text };
    const response = await scene.gateway.http.request('POST', '/message', { headers, body });
    return response.status === 200 ? response.body['messageId'] : response.body['message'];
  };
  const texts = async (userId: string): Promise<string[]> => {
    const path = `/accounts/${userId}/messages?peer=${helperBot}&limit=100`;
    return (await scene.sandbox.call<{ text: string }[]>('GET', path)).map(({ text }) => text);
  };
  const first = await post('hello');
  await logInAs(cara);
  const second = await post('hello');
  expect(await texts(cara)).toEqual(['hello']);
  expect(await post('other')).toBe('idempotency key was used with another body');

  await logInAs(ann);
  expect(await post('hello')).toBe(first);
  expect((await texts(ann)).filter((text) => text === 'hello')).toEqual(['hello']);
  await logInAs(cara);
  expect(await post('hello')).toBe(second);
});
