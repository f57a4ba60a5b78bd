import type { AccountUpdate, UpdateChat } from '../../../src/telegram/port/updates.ts';
import { webhookEventTypes } from '../../../src/webhook/filter/event-filter.ts';
import { ReaderBook } from '../../../src/webhook/readers/reader-book.ts';
import { linkFact } from '../actors/scripted-link.ts';
import { createSeededRandomness } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import type { World } from '../webhook/world.ts';

const minuteMs = 60_000;
const user = { id: '2001', name: 'Person 2001', username: 'p2001', phone: '' };
const group: UpdateChat = { id: '-3001', name: 'Group', kind: 'group' };

/** Logins by code and by string, proxies, names, paces, and each event of groups and channels: what v0.1.0 did not have. */
export async function liveNewer(world: World): Promise<void> {
  await settings(world);
  await codes(world);
  await updates(world);
}

async function settings({ sessions, links }: World): Promise<void> {
  const { id } = await sessions.create({});
  await sessions.rename(id, { label: 'Desk', externalId: 'customer-7' });
  await sessions.setPace(id, { perMinute: 20, newChatsPerDay: 10 });
  await sessions.setProxy(id, 'socks5://127.0.0.1:1080');
  await sessions.rotateSecret(id);
  await links.of(id).report(linkFact('LoginImported', 1));
  await links.of(id).report(linkFact('ProxyFailed', 1));
  await links.of(id).report(linkFact('ConnectionRestored', 1));
  await sessions.exportLogin(id, 'telethon');
  const { id: bot } = await sessions.create({});
  await links.of(bot).report(linkFact('LoggedIn', 1));
  await links.of(bot).report(linkFact('BotLoginLost', 1));
}

async function codes(world: World): Promise<void> {
  const { sessions, links } = world;
  const { id: refused } = await sessions.create({});
  await links.of(refused).report(linkFact('CodeSent', 1));
  await sessions.submitCode(refused, '11111');
  await links.of(refused).report(linkFact('CodesUsedUp', 1));
  const { id: late } = await sessions.create({});
  await links.of(late).report(linkFact('CodeSent', 1));
  await world.pass(6 * minuteMs);
}

async function updates(world: World): Promise<void> {
  const id = await world.session();
  const { clock } = world;
  const filter = { events: [...webhookEventTypes], chats: 'all' as const };
  const { position } = await world.sessions.setWebhook(id, { url: world.url, token: 'token', ...filter });
  await world.views.waitFor(position);
  const told: Kind[] = [
    { type: 'message.reaction', chat: group, messageId: 1, counts: { x: 1 }, user, emojis: ['x'] },
    { type: 'message.pinned', chat: group, messageIds: [1], pinned: true },
    { type: 'message.vote', pollId: '1', results: [{ text: 'Yes', option: 'AA==', voters: 1 }] },
    { type: 'message.button', chat: group, messageId: 1, user, data: 'AA==', queryId: '1' },
    { type: 'chat.joined', chat: group },
    { type: 'chat.left', chat: group, by: user },
    { type: 'chat.member', chat: group, user, action: 'added' },
    { type: 'chat.read', chat: group, upTo: 1, fromMe: true },
    { type: 'story', user, storyId: 1, expires: clock.now() + minuteMs, text: 'A story' },
  ];
  await world.record(id, []);
  await world.record(
    id,
    told.map((kind): AccountUpdate => ({ ...kind, at: clock.now(), missed: false })),
  );
  await readers(world, id);
  await ownEvents(world, id);
}

/** What happens to a session whose webhook wants that too. */
async function ownEvents(world: World, id: string): Promise<void> {
  const { sessions, links } = world;
  const report = (type: Parameters<typeof linkFact>[0], login: number): Promise<void> =>
    links.of(id).report(linkFact(type, login));
  await report('ConnectionLost', 1);
  await report('LoginLost', 1);
  await report('QrIssued', 2);
  await report('PasswordRequested', 2);
  await sessions.reset(id, { webhook: undefined });
  await report('CodeSent', 3);
  await world.clock.settle();
  await sessions.delete(id);
  await report('LoggedOut', 3);
}

/** Readers of a session. */
async function readers({ store, vault: sealer, views, clock }: World, id: string): Promise<void> {
  const random = createSeededRandomness(21, clock);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const book = new ReaderBook({ store, sealer, views, clock, random, log, reportUnreadable: allReadable });
  await book.load();
  const reader = await book.join(id, { name: 'desk' }, undefined, { ring() {}, show() {}, end() {} });
  book.leave(id, reader);
  await book.stop();
}

type Kind = AccountUpdate extends infer U
  ? U extends AccountUpdate
    ? Omit<U, 'at' | 'missed' | 'account'>
    : never
  : never;
