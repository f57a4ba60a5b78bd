import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Delivery, faultsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

const cara = '1003';
const bot = '1004';
const family = '-2001';
const quiet = '-1003002';
const daily = '-1004001';

let scene: UpdatesScene;
let caller: Caller;
beforeEach(async () => {
  scene = await openUpdatesScene();
});
afterEach(() => scene.close());

const control = (method: string, path: string, body?: object): Promise<unknown> =>
  scene.sandbox.call(method, path, body);
const setRole = (chat: string, userId: string, role: string): Promise<unknown> =>
  control('PUT', `/chats/${chat}/members/${userId}`, { role });
const latest = async (of: string, peer: string): Promise<number> => {
  const [last] = (await control('GET', `/accounts/${of}/messages?peer=${peer}&limit=1`)) as { id: number }[];
  return last?.id ?? 0;
};
/** Type, chat, and some fields of what happened. */
const told = ({ type, content }: Delivery, ...fields: string[]): unknown[] => {
  const all = content as unknown as Record<string, unknown> & { chat?: { id: string }; user?: { id: string } };
  return [type, all.chat?.id, all.user?.id, ...fields.map((field) => all[field])];
};

/** The bot, logged in, an administrator of both groups, with a webhook. */
async function botWanting(...events: string[]): Promise<void> {
  const accounts = (await control('GET', '/accounts')) as { userId: string; token: string }[];
  const botToken = accounts.find(({ userId }) => userId === bot)?.token ?? '';
  for (const chat of [family, quiet]) await setRole(chat, bot, 'admin');
  caller = await scene.create({ login: { botToken } });
  await scene.setWebhook(caller, true, { events, chats: 'all' });
}
/** The bot asks in the family, where votes are public. */
async function ask(): Promise<void> {
  const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
  const answers = ['here', 'there'].map((words, index) => ({
    _: 'pollAnswer',
    text: text(words),
    option: Buffer.from(String(index)).toString('base64'),
  }));
  const poll = { _: 'poll', id: '0', question: text('Where?'), answers, public_voters: true };
  const peer = { _: 'inputPeerChat', chat_id: family.slice(1) };
  const params = { peer, media: { _: 'inputMediaPoll', poll }, message: '', random_id: '4711' };
  const options = { headers: { id: caller.id }, body: { params } };
  const { status, body } = await scene.whilePassing(
    scene.gateway.http.request('POST', '/telegram/messages.sendMedia', options),
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
}
async function vote(userId: string, answers: number[]): Promise<void> {
  await control('PUT', `/accounts/${userId}/messages/${family}/${await latest(userId, family)}/vote`, { answers });
}

it('[EV1.12] a bot is told who has voted in its poll, and for what, also what was missed', async () => {
  await botWanting('message.vote');
  await ask();
  await vote(bob, [1]);
  const votes = async (count: number): Promise<unknown[][]> => {
    const all = await scene.delivered(caller, count);
    return all.filter(({ content }) => content.user !== undefined).map((each) => told(each, 'options'));
  };
  const [here, there] = ['0', '1'].map((option) => Buffer.from(option).toString('base64'));
  expect(await votes(2)).toEqual([['PollVoted', undefined, bob, [there]]]);
  await scene.gateway.crash();
  await vote(bob, []);
  await vote(cara, [0]);
  await scene.restart();
  await scene.gateway.started;
  await scene.read(caller, ({ isConnected }) => isConnected);
  await scene.pass(10_000);
  expect(await votes(4)).toEqual([
    ['PollVoted', undefined, bob, [there]],
    ['PollVoted', undefined, bob, []],
    ['PollVoted', undefined, cara, [here]],
  ]);
  expect(faultsOf(await scene.deliveries(caller))).toEqual([]);
});

it('[EV1.12] a bot is told of reactions, whose and which', async () => {
  await botWanting('message.reaction');
  for (const [index, peer] of [family, quiet, ann].entries()) {
    await scene.write(peer === ann ? bot : cara, peer, 'what do you think?');
    const by = peer === quiet ? cara : ann;
    const seen = peer === ann ? bot : peer;
    const reaction = `/accounts/${by}/messages/${seen}/${await latest(by, seen)}/reaction`;
    await control('PUT', reaction, { reaction: '👍' });
    const found = await scene.delivered(caller, index + 1);
    expect(found.slice(index).map((each) => told(each, 'emojis', 'counts'))).toEqual([
      ['ReactionsChanged', peer, by, ['👍'], {}],
    ]);
  }
});

it('[EV1.12] a bot is told of each member that has changed, once', async () => {
  await botWanting('chat.member');
  await setRole(family, cara, 'left');
  await setRole(quiet, bob, 'left');
  await setRole(quiet, bob, 'member');
  await setRole(quiet, bob, 'admin');
  await setRole(quiet, bob, 'member');
  await setRole(quiet, bob, 'kicked');
  const found = await scene.delivered(caller, 6);
  await scene.pass(10_000);
  expect((await scene.deliveries(caller)).length).toBe(6);
  // Each chat has an order of its own.
  const ofChat = (each: Delivery): string => each.content.chat?.id ?? '';
  const inOrder = found.toSorted((one, other) => ofChat(other).localeCompare(ofChat(one)));
  expect(inOrder.map((each) => told(each, 'action'))).toEqual([
    ['MemberChanged', family, cara, 'left'],
    ['MemberChanged', quiet, bob, 'left'],
    ['MemberChanged', quiet, bob, 'added'],
    ['MemberChanged', quiet, bob, 'promoted'],
    ['MemberChanged', quiet, bob, 'demoted'],
    ['MemberChanged', quiet, bob, 'removed'],
  ]);
});

it('[EV1.4] a post of a channel is an event, its edit and its deletion too', async () => {
  caller = await scene.annWithWebhook({ events: ['message', 'message.edited', 'message.deleted'], chats: 'channels' });
  const id = await scene.write(ann, daily, 'today');
  // Telegram gives a post as it is when it is asked.
  await scene.delivered(caller, 1);
  await scene.write(ann, bob, 'not of a channel');
  await control('PATCH', `/accounts/${ann}/messages/${daily}/${id}`, { text: 'today, better' });
  await control('DELETE', `/accounts/${ann}/messages/${daily}/${id}`);
  const found = await scene.delivered(caller, 3);
  expect(found.map(({ type, content }) => [type, content.chat?.id])).toEqual([
    ['MessageReceived', daily],
    ['MessageEdited', daily],
    ['MessagesDeleted', daily],
  ]);
  expect(found[0]?.content).toMatchObject({
    chat: { kind: 'channel', name: 'Daily' },
    message: { text: 'today', chatId: daily },
  });
});
