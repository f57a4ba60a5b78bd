import { IdempotentSends } from '../../../src/messaging/idempotent-sends.ts';
import { writeLogin } from '../../../src/telegram/login/login-state.ts';
import type { ChatMessage } from '../../../src/telegram/port/chat-message.ts';
import type { AccountUpdate, ChatUser } from '../../../src/telegram/port/updates.ts';
import { linkFact } from '../actors/scripted-link.ts';
import { createSeededRandomness } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { World } from '../webhook/world.ts';
import { liveNewer } from './newer-history.ts';
import { liveAsOperator } from './operators-history.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const person = (id: number): ChatUser => ({ id: String(id), name: `Person ${id}`, username: `p${id}`, phone: '' });
const failingChat = 2002;

/**
 * Lives through everything that a gateway records, with the gateway's own code: every fact of a session, every kind of
 * update, deliveries that arrive, fail and are parked, keyed sends that were answered and not, logins saved and dropped, keys and
 * customers' links with all that becomes of them, what was used and what was counted for a limit.
 * The world is still open.
 */
export async function liveThroughAll(): Promise<World> {
  const world = await new World().begin();
  await logins(world);
  await deliveriesAndSends(world);
  await ends(world);
  await liveNewer(world);
  await liveAsOperator(world);
  await world.pass(minuteMs);
  return world;
}

/**
 * One session that is scanned, asked for its password, connected, cut off, restarted, reset and connected again;
 * another one whose login was dropped.
 */
async function logins(world: World): Promise<void> {
  const { sessions, vault, clock } = world;
  const { id } = await sessions.create({ name: 'Desk', metadata: { team: 'blue' }, webhook: null });
  const report = (type: Parameters<typeof linkFact>[0], login = 1): Promise<void> =>
    world.links.of(id).report(linkFact(type, login));
  await report('LoginRefused');
  await report('QrIssued');
  await report('PasswordRequested');
  await sessions.submitPassword(id, 'not this one');
  await report('LoggedIn');
  await vault.saveLogin(id, storedLogin());
  await report('AccountChanged');
  await report('UpdatesLost');
  await report('AccountFrozen');
  await sessions.noteMethodCall(id, 'messages.saveDraft');
  await report('ConnectionLost');
  await clock.advance(minuteMs);
  await report('ConnectionRestored');
  await world.setWebhook(id, world.url);
  await world.kill();
  await world.start();
  await world.links.of(id).report(linkFact('ConnectionRestored', 1));
  await world.links.of(id).report(linkFact('LoginLost', 1));
  await world.vault.dropLogin(id);
  await world.links.of(id).report(linkFact('QrIssued', 2));
  await world.sessions.reset(id, { name: 'Desk 2', webhook: { url: world.url, token: 'another token' } });
  await world.links.of(id).report(linkFact('LoggedIn', 3));
  await world.vault.saveLogin(id, storedLogin());
  const { id: waiting } = await world.sessions.create({});
  await world.vault.saveLogin(waiting, storedLogin());
  await world.vault.dropLogin(waiting);
  await world.links.of(waiting).report(linkFact('LoggedIn', 1));
}

function storedLogin(): string {
  return writeLogin({
    stage: 'complete',
    dc: 2,
    keys: new Map([[2, Buffer.alloc(256, 5)]]),
    account: { id: '1001', name: 'Ada Lovelace', username: 'ada', phone: '4915100000001' },
    position: { pts: 7, qts: 0, date: 1_767_225_600 },
    peers: [{ kind: 'user', id: '2001', hash: '-77' }],
  });
}

async function deliveriesAndSends(world: World): Promise<void> {
  world.behaviour = (response, { payload }) => {
    const isRefused = 'chatId' in payload.data && payload.data.chatId === String(failingChat);
    response.writeHead(isRefused ? 500 : 200).end();
  };
  const id = await world.session();
  await world.record(id, []);
  await world.record(id, [
    message('message', 11, 2001, 'Hello'),
    message('message', 12, failingChat, 'is parked after a day'),
    message('message.edited', 11, 2001, 'Hello there'),
    { type: 'message.sent', at: world.clock.now(), missed: false, user: person(2001), messageId: 13 },
    { type: 'message.read', at: world.clock.now(), missed: true, user: person(2001), upTo: 13, fromMe: false },
    { ...message('message', 14, 2001, 'has no form in JSON'), account: 7n as never },
  ]);
  await world.record(id, [{ type: 'message.deleted', at: undefined, missed: true, messageIds: [11, 13] }]);
  await world.pass(25 * hourMs);
  await world.record(id, [message('message', 15, failingChat, 'fails still'), message('message', 16, 2001, 'arrives')]);
  await world.pass(minuteMs);

  const sends = new IdempotentSends({
    store: world.store,
    clock: world.clock,
    randomness: createSeededRandomness(9, world.clock),
    fingerprint: (sessionId, text) => world.vault.fingerprint(sessionId, text),
    log: { warn: () => {} },
    reportUnreadable: allReadable,
  });
  await sends.once({ sessionId: id }, 'key 1', 'body 1', async (begin) => {
    await begin();
    return { messageId: 21 };
  });
  const cutOff = sends.once({ sessionId: id }, 'key 2', 'body 2', async (begin) => {
    await begin();
    throw new Error('cut off');
  });
  await cutOff.catch(() => {});

  function message(type: 'message' | 'message.edited', messageId: number, from: number, text: string): AccountUpdate {
    const at = world.clock.now();
    const content: ChatMessage = { id: messageId, chatId: String(from), created: at, fromMe: false, text };
    return { type, at, missed: false, account: '1001', user: person(from), message: content };
  }
}

/** Sessions that end in each way there is. */
async function ends(world: World): Promise<void> {
  const { sessions, clock } = world;
  await sessions.create({ name: 'never scanned' });
  const { id: withPassword } = await sessions.create({});
  await world.links.of(withPassword).report(linkFact('PasswordRequested', 1));
  const { id: cutOff } = await sessions.create({});
  await world.links.of(cutOff).report(linkFact('LoggedIn', 1));
  await world.links.of(cutOff).report(linkFact('ConnectionLost', 1));
  await world.pass(31 * minuteMs);
  const deleted = await world.session();
  await sessions.delete(deleted);
  const gone = await world.session();
  const webhook = world.views.get(gone)?.webhook;
  if (webhook === undefined) throw new Error('there is a webhook');
  await sessions.dropWebhook(gone, webhook, 'receiver-gone');
  await clock.settle();
}
