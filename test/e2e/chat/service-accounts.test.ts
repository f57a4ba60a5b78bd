import { beforeAll, describe, expect, it } from 'vitest';
import { useConnectedScene } from '../../support/e2e/connected-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';

/** Telegram's own account writes login codes, and of logins on new devices. */

const on = useConnectedScene();
const service = '777000';
/** Words of its messages, and a number that is in its chat alone. */
let words: string[];

beforeAll(async () => {
  // Another login: Telegram writes of it.
  await on.scene.connected(ann);
  const messages = await on.scene.sandbox.call<{ text: string }[]>(
    'GET',
    `/accounts/${ann}/messages?peer=${service}&limit=10`,
  );
  words = messages.map(({ text }) => text.slice(0, 20));
  if (words.length === 0) throw new Error('Telegram wrote of no login');
});

const ask = (method: string, path: string, body?: object) =>
  on.scene.whilePassing(on.scene.request(on.caller, method, path, body));

describe("Telegram's own accounts", () => {
  it.each([
    '/chat?limit=100',
    '/chat?limit=100&archived=true',
    `/chat/message?chatId=${ann}`,
    '/chat/search?q=login',
    '/chat/search?q=code',
    '/contact',
    '/account',
    '/group',
    '/channel',
    '/session/events',
    '/session/webhook/parked',
  ])('[CT1.3] are not in GET %s, nor is what they wrote', async (path) => {
    const { status, body } = await ask('GET', path);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).not.toContain(service);
    for (const word of words) expect(text).not.toContain(word);
  });

  it.each([
    ['GET', `/chat/${service}`],
    ['GET', `/chat/message?chatId=${service}`],
    ['GET', `/chat/message/1?chatId=${service}`],
    ['GET', `/chat/search?q=login&chatId=${service}`],
    ['GET', `/user/${service}`],
    ['POST', '/chat/read', { user: service }],
    ['POST', '/chat/archive', { user: service, on: true }],
    ['POST', '/chat/mute', { user: service, on: true }],
    ['POST', '/chat/pin', { user: service, on: true }],
    ['PATCH', '/message', { user: service, messageId: '1', text: 'x' }],
    ['DELETE', `/message?user=${service}&messageIds=1`],
    ['POST', '/message/reaction', { user: service, messageId: '1', emoji: '👍' }],
    ['POST', '/message/pin', { user: service, messageId: '1' }],
    ['DELETE', `/message/pin?user=${service}&messageId=1`],
    ['POST', '/message/forward', { from: { user: service }, messageIds: ['1'], user: bob }],
    ['POST', '/message/button', { user: service, messageId: '1', row: 0, column: 0 }],
    ['POST', '/message/vote', { user: service, messageId: '1', options: [0] }],
    ['POST', `/user/${service}/block`],
  ])('[CT1.3] cannot be reached by %s %s', async (method, path, body?: object) => {
    const { status, body: answer } = await ask(method, path, body);
    expect({ status, answer }).toEqual({ status: 400, answer: { statusCode: 400, message: 'chat not found' } });
  });
});
