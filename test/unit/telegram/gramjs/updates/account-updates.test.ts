import bigInt from 'big-integer';
import { Api } from 'telegram';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChatNames } from '../../../../../src/telegram/gramjs/peers/chat-names.ts';
import { ChatUsers } from '../../../../../src/telegram/gramjs/peers/chat-users.ts';
import { SentMessages } from '../../../../../src/telegram/gramjs/sending/sent-messages.ts';
import { AccountUpdates } from '../../../../../src/telegram/gramjs/updates/account-updates.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { NotConnectedError } from '../../../../../src/telegram/port/errors.ts';
import {
  type AccountUpdate,
  type KnownMessages,
  RecordSupersededError,
  type UpdatePosition,
} from '../../../../../src/telegram/port/updates.ts';
import { createDrivenClock, type DrivenClock } from '../../../../support/kit/clock.ts';

let clock: DrivenClock;
let updates: AccountUpdates;
let sent: SentMessages;
let stop: AbortController;
let isWanted: boolean;
/** What was recorded: `text`, `sent 5`, … with the position after it. */
let recorded: string[];
/** The record answers when it resolves. */
let gate: Promise<void>;
let openGate: () => void;
let refusals: Error[];
let restarted: UpdatePosition[];
let known: KnownMessages | undefined;
/** The account's messages at Telegram. */
let history: readonly Api.UpdateNewMessage[];
/** How often Telegram was asked for users, and how often it is out of reach before that. */
let asked: number;
let failures: number;

const at = (pts: number): UpdatePosition => ({ pts, qts: 0, date: 0 });
const message = (
  id: number,
  more: { out?: boolean; from?: number; text?: string; fromScheduled?: boolean } = {},
): Api.UpdateNewMessage =>
  new Api.UpdateNewMessage({
    message: new Api.Message({
      id,
      message: more.text ?? `text ${id}`,
      date: 5,
      out: more.out === true,
      fromScheduled: more.fromScheduled === true,
      peerId: new Api.PeerUser({ userId: bigInt(more.from ?? 7) }),
    }),
    pts: id,
    ptsCount: 1,
  });
const summary = (update: AccountUpdate): string => {
  if (update.type === 'message') return `${update.user.name}: ${update.message.text}`;
  return update.type === 'message.sent' ? `sent ${update.messageId}` : update.type;
};
const shut = (): void => {
  gate = new Promise((resolve) => {
    openGate = resolve;
  });
};

beforeEach(() => {
  clock = createDrivenClock();
  stop = new AbortController();
  sent = new SentMessages();
  isWanted = true;
  recorded = [];
  refusals = [];
  restarted = [];
  known = undefined;
  history = [];
  asked = 0;
  failures = 0;
  gate = Promise.resolve();
  const users = new ChatUsers(new PeerCache(), async (request) => {
    asked += 1;
    if (failures-- > 0) throw new NotConnectedError('out of reach');
    const wanted = (request as unknown as Api.users.GetUsers).id as Api.InputUser[];
    const named = ({ userId }: Api.InputUser): Api.User =>
      new Api.User({ id: userId, firstName: `Name ${userId.toString()}` });
    return wanted.map(named);
  });
  updates = new AccountUpdates(
    {
      clock,
      log: () => {},
      record: {
        get isWanted() {
          return isWanted;
        },
        mayWant: (_types, kind) => isWanted && kind !== 'group' && kind !== 'channel',
        selection: async () => () => true,
        channels: async () => new Map(),
        live: () => {},
        resume: async () => at(40),
        async record(more, _from, to) {
          await gate;
          const refusal = refusals.shift();
          if (refusal !== undefined) throw refusal;
          recorded.push([...more.map(summary), to.pts].join(' '));
        },
        continueFrom: async () => undefined,
        known: async () => known,
        close: () => {},
      },
      sent,
      users,
      chats: new ChatNames(new PeerCache(), () => Promise.reject(new Error('not asked'))),
      kindOf: () => 'group',
      onChannelRecorded: () => {},
      ownId: () => '1',
      toGatewayTime: (seconds) => seconds * 1000,
      restartAt: (position) => void restarted.push(position),
      messagesAfter: async function* (id) {
        yield history.map((update) => update.message as Api.Message).filter((found) => found.id > id);
      },
      signal: stop.signal,
    },
    at(0),
  );
});
afterEach(() => {
  stop.abort();
  openGate?.();
});

it('[WH4.1] the position moves when what lies before it is recorded, not before', async () => {
  shut();
  updates.add([message(1)], false, at(1));
  await clock.settle();
  updates.add([message(2)], false, at(2));
  updates.add([], false, at(3));
  await clock.settle();
  expect(updates.position).toEqual(at(0));
  openGate();
  await clock.settle();
  expect(updates.position).toEqual(at(3));
  expect(recorded).toEqual(['Name 7: text 1 1', 'Name 7: text 2 3']);
  updates.add([], false, at(9));
  expect(updates.position).toEqual(at(9));
});

it('[WH5.1] nothing is recorded while nobody wants it, and the position moves at once', async () => {
  isWanted = false;
  updates.add([message(1)], false, at(1));
  updates.markCurrent(at(1));
  expect(updates.position).toEqual(at(1));
  expect(updates.isDoubtful(message(2, { out: true }))).toBe(false);
  await clock.settle();
  expect(recorded).toEqual([]);
});

it('[WH4.1] takes only so much while the record is slow', async () => {
  shut();
  for (let id = 1; id <= 500; id += 1) updates.add([message(id)], false, at(id));
  expect(updates.hasRoom).toBe(false);
  let hasRoom = false;
  void updates.room().then(() => {
    hasRoom = true;
  });
  await clock.settle();
  expect(hasRoom).toBe(false);
  openGate();
  await clock.settle();
  expect(hasRoom).toBe(true);
  expect(updates.position).toEqual(at(500));
  expect(recorded.length).toBeLessThan(10);
});

it('[WH3.2] a message of one’s own waits for the sends to its chat that are under way', async () => {
  sent.begin(5n, '7');
  updates.add([message(1, { out: true }), message(2, { out: true })], true, at(2));
  await clock.settle();
  expect(recorded).toEqual([]);
  sent.remember(5n, 2);
  sent.end('7');
  await clock.settle();
  expect(recorded).toEqual(['Name 7: text 1 2']);
});

it('[MX1.18] a message that left the queue is one that was sent, without waiting for other sends', async () => {
  sent.begin(5n, '7');
  updates.add([message(1, { out: true, fromScheduled: true })], false, at(1));
  await clock.settle();
  expect(recorded).toEqual(['sent 1 1']);
  expect(updates.isDoubtful(message(2, { out: true, fromScheduled: true }))).toBe(false);
});

it('[MX1.18] the ID in the queue is not taken for that of a message', async () => {
  sent.begin(5n, '7', true);
  sent.note(new Api.UpdateMessageID({ id: 1, randomId: bigInt(5) }));
  sent.end('7');
  updates.add([message(1, { out: true })], false, at(1));
  await clock.settle();
  expect(recorded).toEqual(['Name 7: text 1 1']);
});

it('[WH3.2] waits for a send without an answer no longer than one can take', async () => {
  sent.begin(5n, '7');
  updates.add([message(1, { out: true })], true, at(1));
  await clock.advance(34_000);
  expect(recorded).toEqual([]);
  await clock.advance(2_000);
  expect(recorded).toEqual(['Name 7: text 1 1']);
});

it('[WH3.2] what Telegram names as sent by this login is kept as such, whatever it says', async () => {
  sent.note(new Api.UpdateMessageID({ id: 1, randomId: bigInt(5) }));
  updates.add([message(1, { out: true }), message(2, { out: true, text: 'text 1' })], true, at(2));
  await clock.settle();
  expect(recorded).toEqual(['sent 1 Name 7: text 1 2']);
});

it('[WH3.1] a push is doubted where it does not say who wrote it, or to whom', async () => {
  expect(updates.isDoubtful(message(1))).toBe(true);
  updates.add([message(1)], true, at(1));
  await clock.settle();
  expect(updates.isDoubtful(message(2))).toBe(false);
  expect(updates.isDoubtful(message(2, { out: true }))).toBe(true);
  sent.note(new Api.UpdateMessageID({ id: 2, randomId: bigInt(5) }));
  expect(updates.isDoubtful(message(2, { out: true }))).toBe(false);
  expect(updates.isDoubtful(message(3, { out: true, from: 1 }))).toBe(false);
});

it('[WH3.3] leaves out notes to oneself and what Telegram itself writes', async () => {
  updates.add([message(1, { from: 1 }), message(2, { from: 777000 })], false, at(2));
  await clock.settle();
  expect(recorded).toEqual([]);
  expect(updates.position).toEqual(at(2));
});

it('[WH3.1] asks for a name again when Telegram is back, and keeps the order meanwhile', async () => {
  failures = 2;
  updates.add([message(1)], false, at(1));
  await clock.settle();
  updates.add([message(2)], false, at(2));
  await clock.advance(20_000);
  expect(recorded).toEqual(['Name 7: text 1 Name 7: text 2 2']);
  expect(asked).toBe(3);
  updates.add([message(3)], false, at(3));
  await clock.settle();
  expect(asked).toBe(3);
});

it('[WH4.1] goes on from where somebody else has come to', async () => {
  refusals = [new RecordSupersededError('somebody else')];
  updates.add([message(1)], false, at(1));
  await clock.settle();
  expect(restarted).toEqual([at(40)]);
  expect(updates.position).toEqual(at(40));
  expect(recorded).toEqual([]);
});

it('[WH5.2] says that the account is up to date after what came before', async () => {
  shut();
  updates.add([message(1)], false, at(1));
  updates.markCurrent(at(1));
  openGate();
  await clock.settle();
  expect(recorded).toEqual(['Name 7: text 1 1', '1']);
});

it('[WH3.1] names everybody, also where more people have written than names are kept at hand', async () => {
  const people = 450;
  const written = Array.from({ length: people }, (_, index) => message(index + 1, { from: 100 + index }));
  updates.add(written, true, at(people));
  await clock.settle();
  const expected = written.map((_, index) => `Name ${100 + index}: text ${index + 1}`);
  expect(recorded).toEqual([[...expected, people].join(' ')]);
  expect(asked).toBe(5);
});

it.each([
  ['all messages above a recorded one are wanted', 1, ['Name 7: text 2 0', '9']],
  ['dates decide where no message is recorded', 0, ['9']],
])('[WH5.5] after a gap, %s', async (_, upTo, expected) => {
  // The webhook was set at 10 s of the gateway's clock, which was set back since then: the messages are of 5 s.
  known = { upTo, sent: new Set(), since: 10_000 };
  history = [message(1), message(2)];
  updates.addGap(at(9));
  updates.markCurrent(at(9));
  await clock.settle();
  expect(recorded).toEqual(expected);
});
