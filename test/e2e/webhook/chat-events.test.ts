import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Delivery, faultsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

const cara = '1003';
const family = '-2001';
const quiet = '-1003002';
const strangers = 'strangers';

let scene: UpdatesScene;
beforeEach(async () => {
  scene = await openUpdatesScene();
});
afterEach(() => scene.close());

const control = (method: string, path: string, body?: object): Promise<unknown> =>
  scene.sandbox.call(method, path, body);
const wanting = (...events: string[]): Promise<Caller> => scene.annWithWebhook({ events, chats: 'all' });
const latest = async (of: string, peer: string): Promise<{ id: number }[]> =>
  scene.sandbox.call('GET', `/accounts/${of}/messages?peer=${peer}&limit=1`);
/** Type, chat, and some fields of what happened. */
const told = ({ type, content }: Delivery, ...fields: string[]): unknown[] => {
  const all = content as unknown as Record<string, unknown> & { chat?: { id: string } };
  return [type, all.chat?.id, ...fields.map((field) => all[field])];
};
/** Ann's other device does it. */
async function ask(caller: Caller, method: string, path: string, body?: object): Promise<void> {
  const { status, body: answer } = await scene.whilePassing(scene.request(caller, method, path, body));
  if (status !== 200) throw new Error(JSON.stringify(answer));
}

it('[EV1.6] tells of reactions in each kind of chat: their counts, and whose they are', async () => {
  const caller = await wanting('message.reaction');
  for (const peer of [family, quiet, bob]) {
    const id = await scene.write(ann, peer, 'what do you think?');
    const by = peer === quiet ? cara : bob;
    const seen = peer === bob ? ann : peer;
    const messages = await latest(by, seen);
    await control('PUT', `/accounts/${by}/messages/${seen}/${messages[0]?.id}/reaction`, { reaction: '👍' });
    const [last] = (await scene.delivered(caller, [family, quiet, bob].indexOf(peer) + 1)).slice(-1);
    expect(last).toMatchObject({
      type: 'ReactionsChanged',
      content: { chat: { id: peer }, messageId: id, counts: { '👍': 1 }, user: { id: by }, emojis: ['👍'] },
    });
  }
});

it('[EV1.6] tells of pins, and of the members of a group, with who did it', async () => {
  const caller = await wanting('message.pinned', 'chat.member');
  const phone = await scene.connected(ann);
  const id = await scene.write(bob, family, 'pin me');
  await ask(phone, 'POST', '/message/pin', { group: family, messageId: String(id) });
  const [pinned] = await scene.delivered(caller, 1);
  expect(pinned && told(pinned, 'pinned')).toEqual(['MessagesPinned', family, true]);
  await ask(phone, 'DELETE', `/group/${family}/member?users=${cara}`);
  const [, member] = await scene.delivered(caller, 2);
  expect(member && told(member, 'action')).toEqual(['MemberChanged', family, 'removed']);
  expect(member?.content).toMatchObject({ user: { id: cara, name: 'Cara' }, by: { id: ann } });
});

it('[EV1.6] tells that the account has joined and left, and where it has read', async () => {
  const caller = await wanting('chat.joined', 'chat.left', 'chat.read');
  const phone = await scene.connected(ann);
  await ask(phone, 'POST', '/channel/join', { link: `https://t.me/${strangers}` });
  const [joined] = await scene.delivered(caller, 1);
  expect(joined).toMatchObject({ type: 'ChatJoined', content: { chat: { kind: 'channel', name: 'Strangers' } } });
  const chatId = joined?.content.chat?.id ?? '';
  await ask(phone, 'DELETE', `/channel/${chatId}/membership`);
  const [, left] = await scene.delivered(caller, 2);
  expect(left && told(left)).toEqual(['ChatLeft', chatId]);
  await scene.write(cara, quiet, 'read me');
  await control('POST', `/accounts/${ann}/read`, { peer: quiet });
  const [, , read] = await scene.delivered(caller, 3);
  expect(read && told(read, 'fromMe')).toEqual(['ChatRead', quiet, true]);
  expect(faultsOf(await scene.deliveries(caller))).toEqual([]);
});

it('[EV1.5] takes where a channel was read from its dialog, after a time away, and repeats no reaction', async () => {
  const caller = await wanting('message.reaction', 'chat.read');
  await scene.write(ann, family, 'hello');
  const [{ id } = { id: 0 }] = await latest(bob, family);
  await scene.write(cara, quiet, 'one');
  await control('POST', `/accounts/${ann}/read`, { peer: quiet });
  await scene.delivered(caller, 1);
  await control('PUT', `/accounts/${bob}/messages/${family}/${id}/reaction`, { reaction: '👍' });
  await scene.delivered(caller, 2);
  await scene.gateway.crash();
  const two = await scene.write(cara, quiet, 'two');
  await control('POST', `/accounts/${ann}/read`, { peer: quiet });
  await scene.restart();
  await scene.gateway.started;
  await scene.read(caller, ({ isConnected }) => isConnected);
  const found = await scene.delivered(caller, 3);
  expect(found.map((each) => told(each, 'upTo', 'counts'))).toEqual([
    ['ChatRead', quiet, two - 1, undefined],
    ['ReactionsChanged', family, undefined, { '👍': 1 }],
    ['ChatRead', quiet, two, undefined],
  ]);
  await scene.pass(10_000);
  expect(await scene.deliveries(caller)).toHaveLength(3);
});

it('[EV1.6] tells of the votes of a poll', async () => {
  const caller = await wanting('message.vote');
  const phone = await scene.connected(ann);
  const poll = { question: 'Where?', options: ['here', 'there'] };
  await ask(phone, 'POST', '/message', { group: family, type: 'poll', poll });
  const [own] = await latest(ann, family);
  await ask(phone, 'POST', '/message/vote', { group: family, messageId: String(own?.id), options: [0] });
  await scene.delivered(caller, 1);
  const [asked] = await latest(bob, family);
  await control('PUT', `/accounts/${bob}/messages/${family}/${asked?.id}/vote`, { answers: [1] });
  const [, voted] = await scene.delivered(caller, 2);
  expect(voted).toMatchObject({
    type: 'PollVoted',
    content: {
      pollId: expect.stringMatching(/^\d+$/),
      results: [
        { text: 'here', voters: 1 },
        { text: 'there', voters: 1 },
      ],
    },
  });
  expect(voted?.metadata.seq).toBe(2);
});

it('[EV1.6] tells a bot who pressed a button of its message', async () => {
  const bot = '1004';
  const presser = await scene.connected(ann);
  await control('POST', `/accounts/${ann}/messages`, { peer: bot, text: '/buttons' });
  const [shown] = await latest(ann, bot);
  const accounts = (await control('GET', '/accounts')) as { userId: string; token: string }[];
  const botToken = accounts.find(({ userId }) => userId === bot)?.token ?? '';
  const caller = await scene.create({ login: { botToken } });
  await scene.setWebhook(caller, true, { events: ['message.button', 'chat.joined'], chats: 'all' });
  const press = { user: bot, messageId: String(shown?.id), row: 0, column: 1 };
  const pressed = scene.request(presser, 'POST', '/message/button', press);
  const [button] = await scene.delivered(caller, 1);
  expect(button).toMatchObject({
    type: 'ButtonPressed',
    content: {
      chat: { id: ann, kind: 'user' },
      user: { id: ann, name: 'Ann Lee' },
      data: Buffer.from('text').toString('base64'),
      queryId: expect.stringMatching(/^-?\d+$/),
    },
  });
  await control('POST', '/clock', { advanceMs: 11_000 });
  expect((await pressed).status).toBe(200);
});
