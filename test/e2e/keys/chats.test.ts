import { beforeAll, describe, expect, it } from 'vitest';
import { useConnectedScene } from '../../support/e2e/connected-scene.ts';
import { bob } from '../../support/e2e/scene.ts';
import { family } from '../../support/e2e/seeded-groups.ts';
import { issueAgentKey } from '../../support/mcp/agent.ts';

/** What a key with `chats` reaches in Ann's account, and what not. */

const on = useConnectedScene();
const cara = '1003';
const daily = '-1004001';
/** Ann is not in it. */
const strangers = { id: '-1004003', username: 'strangers' };
const own = [bob, family.id, daily];

let byKey: Record<string, string>;
beforeAll(async () => {
  byKey = await headersOf(own);
});

async function headersOf(chats: readonly string[]): Promise<Record<string, string>> {
  const { key } = await issueAgentKey(on.scene.gateway.http, { chats });
  return { id: on.caller.id, 'x-api-key': key };
}

type Body = Record<string, unknown>;
interface Answer {
  status: number;
  body: Body & { docs?: Body[] };
}
const ask = (method: string, path: string, body?: object, headers = byKey): Promise<Answer> =>
  on.scene.ask(headers, method, path, body);
const asOwner = (method: string, path: string, body?: object): Promise<Answer> =>
  ask(method, path, body, on.caller.headers);

const error = (message: string) => ({ status: 403, body: { statusCode: 403, message } });
const otherChat = error('chat is not among those of the key');
const wholeAccount = error('a key with chats may not do this');

async function sent(receiver: object, headers = byKey): Promise<string> {
  const { status, body } = await ask('POST', '/message', { ...receiver, type: 'text', text: 'a word' }, headers);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body['messageId']);
}

/** Each way to name a chat that is not the key's: one of the account, one that it does not know, and none at all. */
const outside: [what: string, named: Record<string, string>][] = [
  ['the account has', { user: cara }],
  ['the account is not in', { channel: strangers.id }],
  ['is not there', { user: '424242' }],
  ['is no group that is there', { group: '-424242' }],
  ['has a public name', { username: strangers.username }],
  ['has a public name, as a channel', { channel: strangers.username }],
  ['has a public name, as a group', { group: 'makers' }],
  ['has a name that nobody has', { username: 'nobody_has_this' }],
  ['has a name that nobody has, as a group', { group: 'nobody_has_this' }],
  ['has a phone', { phone: '+15551000006' }],
  ['has a phone that nobody has', { phone: '+19998887766' }],
  ['hides its phone', { phone: '+15550000003' }],
];

/** Each operation that takes a receiver. */
const receiving: [method: string, path: string, body: object][] = [
  ['POST', '/message', { type: 'text', text: 'for another chat' }],
  ['POST', '/message', { type: 'text', text: 'for later', sendAt: new Date(Date.now() + 86_400_000).toISOString() }],
  ['PATCH', '/message', { messageId: '1', text: 'edited' }],
  ['POST', '/message/forward', { from: { user: bob }, messageIds: ['1'] }],
  ['POST', '/message/button', { messageId: '1', row: 0, column: 0 }],
  ['POST', '/message/vote', { messageId: '1', options: [0] }],
  ['POST', '/message/reaction', { messageId: '1', emoji: '👍' }],
  ['POST', '/message/pin', { messageId: '1' }],
  ['POST', '/chat/read', {}],
  ['POST', '/chat/archive', { on: true }],
  ['POST', '/chat/mute', { on: true }],
  ['POST', '/chat/pin', { on: true }],
];

describe.each(outside)('[KY5.3] a chat that %s', (_what, named) => {
  it.each(receiving)('is refused by %s %s', async (method, path, body) => {
    expect(await ask(method, path, { ...body, ...named })).toMatchObject(otherChat);
  });

  it('is refused by DELETE /message, DELETE /message/pin and as the source of a forward', async () => {
    const query = new URLSearchParams(named).toString();
    const url = `/message?${query}&messageIds=1&forEveryone=true`;
    expect(await ask('DELETE', url)).toMatchObject(otherChat);
    expect(await ask('DELETE', `/message/pin?${query}&messageId=1`)).toMatchObject(otherChat);
    const forward = { from: named, messageIds: ['1'], user: bob };
    expect(await ask('POST', '/message/forward', forward)).toMatchObject(otherChat);
  });

  it('is refused by POST /typing', async () => {
    if (named['channel'] !== undefined) return;
    expect(await ask('POST', '/typing', { ...named, type: 'text' })).toMatchObject(otherChat);
  });
});

it.each([cara, strangers.id, '424242', '-424242', '-1009999999'])(
  '[KY5.3] nothing is read of chat %s',
  async (chatId) => {
    const paths = [
      `/chat/${chatId}`,
      `/chat/message?chatId=${chatId}`,
      `/chat/message/1?chatId=${chatId}`,
      `/chat/search?chatId=${chatId}&q=a`,
      `/message/scheduled?chatId=${chatId}`,
      `/group/${chatId}`,
      `/group/${chatId}/topic`,
      `/group/member?groupId=${chatId}`,
      `/channel/${chatId}`,
      `/channel/message?channelId=${chatId}`,
      ...(chatId.startsWith('-') ? [] : [`/user/${chatId}`]),
    ];
    for (const path of paths) expect([path, await ask('GET', path)]).toMatchObject([path, otherChat]);
    const scheduled = await ask('DELETE', `/message/scheduled?chatId=${chatId}&scheduledId=1`);
    expect(scheduled).toMatchObject(otherChat);
  },
);

it('[KY5.3] a person by their @name is one of the chats, or refused', async () => {
  expect(await ask('GET', '/user/@bobstone')).toMatchObject({ status: 200, body: { id: bob } });
  expect(await ask('GET', '/user/@annlee')).toMatchObject(otherChat);
  expect(await ask('GET', '/user/@nobody_has_this')).toMatchObject(otherChat);
});

describe('what is sent', () => {
  it.each(['+15551000006', '+19998887766'])('[KY5.9] tells not who has the phone %s', async (phone) => {
    const contact = { user: bob, type: 'contact', contact: { name: 'Somebody', phone } };
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const body of [contact, { ...contact, sendAt }])
      expect(await ask('POST', '/message', body)).toMatchObject(wholeAccount);
  });

  it('[KY5.9] tells not whom the account knows: only people of its chats are mentioned', async () => {
    for (const [who, isMentioned] of [
      [bob, true],
      [cara, false],
      ['424242', false],
    ] as const) {
      const mentioning = { user: bob, parseMode: 'markdown', text: `[you](tg://user?id=${who})` };
      const { body } = await ask('POST', '/message', { ...mentioning, type: 'text' });
      const messageId = String(body['messageId']);
      const entities = async (): Promise<unknown> =>
        (await ask('GET', `/chat/message/${messageId}?chatId=${bob}`)).body['entities'];
      const expected = isMentioned ? [expect.objectContaining({ type: 'text_mention', userId: who })] : [];
      expect(await entities()).toEqual(expected);
      const edit = { ...mentioning, text: `and ${mentioning.text}`, messageId };
      expect((await ask('PATCH', '/message', edit)).status).toBe(200);
      expect(await entities()).toEqual(expected);
    }
  });
});

describe('in a chat of the key', () => {
  it('[KY5.1] messages are sent, by each way to name it', async () => {
    for (const receiver of [{ user: bob }, { username: 'bobstone' }, { phone: '+15550000002' }, { group: family.id }]) {
      expect(Number(await sent(receiver))).toBeGreaterThan(0);
    }
  });

  it('[KY5.1] they are edited, found, read, marked and deleted', async () => {
    const messageId = await sent({ user: bob });
    const chat = { user: bob, messageId };
    const fine = { status: 200 };
    expect(await ask('PATCH', '/message', { ...chat, text: 'another word' })).toMatchObject(fine);
    expect(await ask('POST', '/message/reaction', { ...chat, emoji: '👍' })).toMatchObject(fine);
    expect(await ask('POST', '/message/pin', chat)).toMatchObject(fine);
    expect(await ask('DELETE', `/message/pin?user=${bob}&messageId=${messageId}`)).toMatchObject(fine);
    expect(await ask('GET', `/chat/message/${messageId}?chatId=${bob}`)).toMatchObject({
      status: 200,
      body: { id: messageId, text: 'another word' },
    });
    const found = await ask('GET', `/chat/search?chatId=${bob}&q=another`);
    expect(found.body.docs?.map(({ id }) => id)).toContain(messageId);
    const forward = { from: { user: bob }, messageIds: [messageId], group: family.id };
    expect(await ask('POST', '/message/forward', forward)).toMatchObject(fine);
    expect(await ask('POST', '/chat/read', { user: bob })).toMatchObject(fine);
    expect(await ask('POST', '/typing', { user: bob, type: 'text' })).toMatchObject(fine);
    for (const which of ['mute', 'pin', 'archive'])
      for (const isOn of [true, false])
        expect(await ask('POST', `/chat/${which}`, { user: bob, on: isOn })).toMatchObject(fine);
    const query = `user=${bob}&messageIds=${messageId}&forEveryone=true`;
    expect(await ask('DELETE', `/message?${query}`)).toMatchObject(fine);
    const page = await ask('GET', `/chat/message?chatId=${bob}`);
    expect(page.body.docs?.map(({ id }) => id)).not.toContain(messageId);
  });

  it('[KY5.1] the group, its members and the channel with its messages are shown', async () => {
    expect(await ask('GET', `/group/${family.id}`)).toMatchObject({ status: 200, body: { name: family.name } });
    expect((await ask('GET', `/group/member?groupId=${family.id}`)).body.docs?.length).toBeGreaterThan(1);
    expect(await ask('GET', `/channel/${daily}`)).toMatchObject({ status: 200 });
    expect((await ask('GET', `/channel/message?channelId=${daily}`)).body.docs?.length).toBeGreaterThan(0);
  });
});

it('[KY5.3] a message of another chat is none of the chat that is named with its number', async () => {
  const messageId = await sent({ user: cara }, on.caller.headers);
  // Private chats and basic groups share one numbering.
  const named = { user: bob, messageId };
  const notFound = { status: 400, body: { message: 'message not found' } };
  expect(await ask('PATCH', '/message', { ...named, text: 'edited' })).toMatchObject(notFound);
  expect(await ask('POST', '/message/reaction', { ...named, emoji: '👍' })).toMatchObject(notFound);
  expect(await ask('POST', '/message/pin', named)).toMatchObject(notFound);
  expect(await ask('DELETE', `/message/pin?user=${bob}&messageId=${messageId}`)).toMatchObject(notFound);
  expect(await ask('POST', '/message/button', { ...named, row: 0, column: 0 })).toMatchObject(notFound);
  expect(await ask('POST', '/message/vote', { ...named, options: [0] })).toMatchObject(notFound);
  const forward = { from: { user: bob }, messageIds: [messageId], user: bob };
  expect(await ask('POST', '/message/forward', forward)).toMatchObject(notFound);
  expect(await ask('GET', `/chat/message/${messageId}?chatId=${bob}`)).toMatchObject(notFound);
  expect((await ask('DELETE', `/message?user=${bob}&messageIds=${messageId}&forEveryone=true`)).status).toBe(200);
  const left = await asOwner('GET', `/chat/message/${messageId}?chatId=${cara}`);
  expect(left).toMatchObject({ status: 200, body: { text: 'a word', reactions: [], edited: '' } });
});

it('[KY5.4] lists have the chats of the key alone', async () => {
  const idsOf = async (path: string): Promise<string[]> =>
    (await ask('GET', path)).body.docs?.map(({ id }) => String(id)) ?? [];
  expect((await asOwner('GET', '/chat')).body.docs?.map(({ id }) => id)).toContain(cara);
  expect((await idsOf('/chat')).toSorted()).toEqual(own.toSorted());
  expect(await idsOf('/group')).toEqual([family.id]);
  expect(await idsOf('/channel')).toEqual([daily]);
  expect(await idsOf('/chat?archived=true')).toEqual([]);
  expect(await ask('GET', '/chat/search?q=a')).toMatchObject(error('a key with chats has to name a chatId'));
});

it('[KY5.4] the list of chats has pages, without those that the account does not know', async () => {
  const headers = await headersOf(['424242', bob, '-424242', family.id, strangers.id]);
  const pages: unknown[][] = [];
  let after = '';
  do {
    const { body } = await ask('GET', `/chat?limit=2&after=${after}`, undefined, headers);
    pages.push(body.docs?.map(({ id }) => id) ?? []);
    after = String(body['after']);
  } while (after !== '');
  expect(pages).toEqual([[bob], [family.id], []]);
  const foreign = Buffer.from(JSON.stringify([cara])).toString('base64url');
  expect(await ask('GET', `/chat?after=${foreign}`, undefined, headers)).toMatchObject({ status: 400 });
});

it('[KY5.2] what is of the account as a whole is refused', async () => {
  for (const [method, path, body] of [
    ['GET', '/session', undefined],
    ['GET', '/contact', undefined],
    ['GET', '/contact/check?phone=15550000002', undefined],
    ['GET', '/account', undefined],
    ['GET', '/session/events', undefined],
    ['POST', '/group', { name: 'x', users: [bob] }],
    ['DELETE', `/group/${family.id}/membership`, undefined],
    ['POST', '/status', { type: 'text', text: 'x' }],
    ['PUT', '/session/webhook', { url: 'https://h.example', token: 't' }],
  ] as const) {
    expect([path, await ask(method, path, body)]).toMatchObject([path, wholeAccount]);
  }
});

it('[KY5.6] an Idempotency-Key of another caller is not that of the key', async () => {
  const key = { 'idempotency-key': 'the same' };
  const toCara = { user: cara, type: 'text', text: 'for Cara' };
  const { status } = await ask('POST', '/message', toCara, { ...on.caller.headers, ...key });
  expect(status).toBe(200);
  expect(await ask('POST', '/message', toCara, { ...byKey, ...key })).toMatchObject(otherChat);
  const toBob = { user: bob, type: 'text', text: 'for Bob' };
  const first = await ask('POST', '/message', toBob, { ...byKey, ...key });
  expect(first.status).toBe(200);
  const rotated = { ...(await headersOf(own.toReversed())), ...key };
  expect((await ask('POST', '/message', toBob, rotated)).body).toEqual(first.body);
});

it('[KY5.7] the secret of the session is bound by no key', async () => {
  const both = { ...on.caller.headers, 'x-api-key': byKey['x-api-key'] ?? '' };
  expect(Number(await sent({ user: cara }, both))).toBeGreaterThan(0);
});

it('[KY5.1] the bound is there after a restart', async () => {
  await on.scene.restart();
  await on.scene.whilePassing(on.scene.read(on.caller, ({ isConnected }) => isConnected));
  expect(await ask('POST', '/message', { user: cara, type: 'text', text: 'x' })).toMatchObject(otherChat);
  expect(await ask('GET', '/session')).toMatchObject(wholeAccount);
  expect(Number(await sent({ user: bob }))).toBeGreaterThan(0);
});
