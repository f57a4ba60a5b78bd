import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dialogOf } from '../../../sandbox/world/dialogs.ts';
import { pinnedMessages } from '../../../sandbox/world/messages/pin-messages.ts';
import { boxOf, parseMarkedPeerId, peerKey, userPeer } from '../../../sandbox/world/state/peer.ts';
import type { ChatListPage, ChatObject } from '../../../src/chats/chat-list.ts';
import type { ReadMessage, ReadMessages } from '../../../src/chats/chat-messages.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';
import { ChatWalk, type WalkedChat } from '../../support/e2e/walk/chat-walk.ts';
import { pinsTold, privateHistory, privateReads, reactionsTold } from '../../support/e2e/walk/private-history.ts';
import { createSeededRandomness } from '../../support/kit/clock.ts';
import { makeForum } from '../../support/sandbox/forum.ts';

/** What people do in private chats, groups, a forum and a channel, drawn from seeds. */
const stepsPerWalk = 80;
/** `CHAT_WALKS=500` walks further, `CHAT_WALK_SEED=17` begins with another seed. */
const walks = Number(process.env['CHAT_WALKS'] ?? 4);
const firstSeed = Number(process.env['CHAT_WALK_SEED'] ?? 1);

const cara = '1003';
const privateChats: WalkedChat[] = [bob, cara].map((id) => ({ id, field: 'user', peers: [id] }));
const groups: WalkedChat[] = [
  { id: '-2001', field: 'group', peers: [bob, cara] },
  { id: '-1003001', field: 'group', peers: [bob, cara] },
  { id: '-1004001', field: 'channel', peers: [ann] },
];

/** What the webhook is told. */
const wantedTypes = [
  'message',
  'message.edited',
  'message.deleted',
  'message.read',
  'message.reaction',
  'message.pinned',
] as const;

let scene: UpdatesScene;
const happened = new Map<string, number>();
beforeAll(async () => {
  scene = await openUpdatesScene();
});
afterAll(() => scene.close());

describe('the chats of an account', () => {
  const seeds = Array.from({ length: walks }, (_, index) => firstSeed + index);
  it.each(seeds)(
    '[CT1.1] [CT2.1] [WH3.1] are what a fresh login sees, and what the webhook told (seed %i)',
    async (seed) => {
      await scene.sandbox.call('POST', '/reset');
      const caller = await scene.annWithWebhook({ events: [...wantedTypes], chats: 'all' });
      const { id, topics } = await makeForum(scene);
      const chats: WalkedChat[] = [...privateChats, ...groups, { id, field: 'group', peers: [bob], topics }];
      const walk = new ChatWalk(scene, caller, chats, createSeededRandomness(seed, scene.clock));
      await walk.readAll();
      for (let step = 0; step < stepsPerWalk; step += 1) await walk.step();
      for (const [what, count] of walk.happened) happened.set(what, (happened.get(what) ?? 0) + count);

      const fresh = await scene.connected(ann);
      for (const archived of [false, true]) {
        expect(await listOf(caller, archived)).toEqual(await listOf(fresh, archived));
      }
      for (const chat of chats) {
        const seen = await messagesOf(caller, chat.id);
        expect(seen).toEqual(await messagesOf(fresh, chat.id));
        expect(textsById(seen)).toEqual(await phoneTexts(chat.id));
        await expectMarksTold(caller, chat.id, seen.filter(isOfWalk));
      }
      for (const chat of privateChats) await expectTold(caller, chat.id, walk.sent.get(chat.id) ?? new Set());
      for (const each of [caller, fresh]) await scene.request(each, 'DELETE', '/session');
    },
  );

  it('[CT1.1] each act was carried out, and some were refused', () => {
    const names = ['send', 'edit', 'delete', 'react', 'pin', 'unpin', 'read', 'archive', 'mute', 'forward'];
    expect(Object.fromEntries(names.map((name) => [name, (happened.get(name) ?? 0) > 0]))).toEqual(
      Object.fromEntries(names.map((name) => [name, true])),
    );
  });
});

async function ask<T>(caller: Caller, path: string): Promise<T> {
  const { status, body } = await scene.whilePassing(scene.request<T & object>(caller, 'GET', path));
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return withoutSession(body);
}

/** Media links are signed for a session. */
const withoutSession = <T>(body: T): T =>
  JSON.parse(
    JSON.stringify(body).replaceAll(/"https?:[^"]*\/media\/[^/"]+\/([^"]+)\/[\w-]{43}\./g, '"/media/$1.'),
  ) as T;

async function listOf(caller: Caller, archived: boolean): Promise<ChatObject[]> {
  const docs: ChatObject[] = [];
  let after = '';
  do {
    const page: ChatListPage = await ask(caller, `/chat?archived=${archived}&limit=7${after && `&after=${after}`}`);
    docs.push(...page.docs);
    ({ after } = page);
  } while (after !== '');
  return docs;
}

async function messagesOf(caller: Caller, chatId: string): Promise<ReadMessage[]> {
  const docs: ReadMessage[] = [];
  let before = '';
  do {
    const page: ReadMessages = await ask(
      caller,
      `/chat/message?chatId=${chatId}&limit=40${before && `&before=${before}`}`,
    );
    docs.push(...page.docs);
    ({ before } = page);
  } while (before !== '');
  return docs;
}

const isOfWalk = ({ text }: { text: string }): boolean => text.startsWith('Text ');

const textsById = (messages: readonly ReadMessage[]): Record<string, string> =>
  Object.fromEntries(messages.filter(isOfWalk).map(({ id, text }) => [id, text]));

/** What the walk wrote, as Ann's phone shows it. */
async function phoneTexts(chatId: string): Promise<Record<string, string>> {
  const seen = await scene.sandbox.call<{ id: number; text: string }[]>(
    'GET',
    `/accounts/${ann}/messages?peer=${chatId}&limit=1000`,
  );
  return Object.fromEntries(seen.filter(isOfWalk).map(({ id, text }) => [id, text]));
}

/** What the webhook was told makes the private chat as it is: its messages but those that the gateway sent, and how far it was read. */
async function expectTold(caller: Caller, chatId: string, sent: ReadonlySet<string>): Promise<void> {
  const texts = await phoneTexts(chatId);
  const others = Object.entries(texts).filter(([id]) => !sent.has(id));
  const { world } = scene.telegram;
  const peer = userPeer(Number(chatId));
  const { readOutbox, readInbox } = dialogOf(world, Number(ann), peer);
  const box = boxOf(Number(ann), peer);
  // That a message was pinned is an unread message too, of which there is no event.
  const services = world.tables
    .history(box, peerKey(peer))
    .map((id) => world.tables.message(box, id))
    .filter((row) => row?.action !== undefined && !row.out && row.id > readInbox).length;
  const { unread } = await ask<ChatObject>(caller, `/chat/${chatId}`);
  const wanted = {
    texts: Object.fromEntries(others),
    unread: unread - services,
    readByOther: Object.keys(texts).filter((id) => Number(id) <= readOutbox),
  };
  const told = async (): Promise<object> => {
    const deliveries = await scene.deliveries(caller);
    const { own, other } = privateReads(deliveries).get(chatId) ?? { own: 0, other: 0 };
    const known = [...(privateHistory(deliveries).get(chatId)?.values() ?? [])].filter(
      ({ id }) => !sent.has(String(id)),
    );
    return {
      texts: Object.fromEntries(known.map(({ id, text }) => [String(id), text])),
      unread: known.filter(({ id, fromMe }) => !fromMe && id > own).length,
      readByOther: Object.keys(texts).filter((id) => Number(id) <= other),
    };
  };
  // What was recorded last may still be on its way.
  for (let tries = 0; tries < 20 && !isDeepStrictEqual(await told(), wanted); tries += 1) {
    await scene.pass(1_000);
  }
  expect(await told()).toEqual(wanted);
}

/** What the webhook was told of reactions and pins makes the messages as they are. */
async function expectMarksTold(caller: Caller, chatId: string, seen: readonly ReadMessage[]): Promise<void> {
  const peer = parseMarkedPeerId(chatId);
  if (peer === undefined) throw new Error(`no chat: ${chatId}`);
  const pinned = new Set(pinnedMessages(scene.telegram.world, Number(ann), peer).map(({ id }) => String(id)));
  const wanted = Object.fromEntries(
    seen.map(({ id, reactions }) => [
      id,
      { reactions: Object.fromEntries(reactions.map(({ emoji, count }) => [emoji, count])), pinned: pinned.has(id) },
    ]),
  );
  const toldOf = async (): Promise<object> => {
    const deliveries = await scene.deliveries(caller);
    const reactions = reactionsTold(deliveries, chatId);
    const pins = pinsTold(deliveries, chatId);
    return Object.fromEntries(seen.map(({ id }) => [id, { reactions: reactions.get(id) ?? {}, pinned: pins.has(id) }]));
  };
  for (let tries = 0; tries < 20 && !isDeepStrictEqual(await toldOf(), wanted); tries += 1) await scene.pass(1_000);
  expect(await toldOf()).toEqual(wanted);
}
