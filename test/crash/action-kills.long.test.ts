import { expect, it } from 'vitest';
import { type Operation, overKills, unless } from '../support/crash/killed-operations.ts';
import { killsOr, useKilling } from '../support/crash/killing.ts';
import { ann } from '../support/crash/writing-people.ts';

/** What is done to messages under an `Idempotency-Key`, over `kill -9` of the real program. */

const kills = killsOr(20);
const bob = '1002';
const cara = '1003';
const bot = '1004';
const makers = '-1003001';

const killing = useKilling();

interface Seen {
  id: number;
  text: string;
  edited: string | null;
  media: { votes?: number[] } | null;
}

const messages = (by: string, peer: string, limit = 1): Promise<Seen[]> =>
  killing.sandbox.call('GET', `/accounts/${by}/messages?peer=${peer}&limit=${limit}`);
/** Somebody writes from the phone; the message's ID as Ann sees it in that chat. */
async function write(from: string, peer: string, content: object): Promise<string> {
  await killing.sandbox.call('POST', `/accounts/${from}/messages`, { peer, ...content });
  const [newest] = await messages(ann, peer === ann ? from : peer);
  return String(newest?.id);
}
/** How often the button of a message was pressed. */
async function presses(messageId: string): Promise<number> {
  type Call = { params: { msg_id?: number } };
  const calls = await killing.sandbox.call<Call[]>('GET', '/calls?method=messages.getBotCallbackAnswer');
  return calls.filter(({ params }) => params.msg_id === Number(messageId)).length;
}

async function anEdit(round: number): Promise<Operation> {
  const messageId = await write(ann, bob, { text: `before ${round}` });
  const text = `after ${round}`;
  return {
    method: 'PATCH',
    path: '/message',
    body: { user: bob, messageId, text },
    faultOf: async (answer) => {
      const seen = await messages(bob, ann, 5);
      const isRight = answer.status === 200 && seen.filter((one) => one.text === text).length === 1;
      return unless(isRight, [answer, seen]);
    },
  };
}

async function aForward(round: number): Promise<Operation> {
  const texts = [`first ${round}`, `second ${round}`];
  const messageIds: string[] = [];
  for (const text of texts) messageIds.push(await write(bob, makers, { text }));
  return {
    method: 'POST',
    path: '/message/forward',
    body: { from: { group: makers }, messageIds, user: cara },
    faultOf: async (answer) => {
      const [mine, theirs] = await Promise.all([messages(ann, cara, 10), messages(cara, ann, 10)]);
      const ids = mine.filter(({ text }) => texts.includes(text)).map(({ id }) => String(id));
      const arrived = theirs.filter(({ text }) => texts.includes(text)).map(({ text }) => text);
      const told = answer.body['messageIds'] as string[] | undefined;
      const isRight = told?.join() === ids.toReversed().join() && arrived.toReversed().join() === texts.join();
      return unless(isRight, [answer, ids, arrived]);
    },
  };
}

async function aVote(round: number): Promise<Operation> {
  const media = { kind: 'poll', question: `Round ${round}?`, options: ['Yes', 'No'] };
  const messageId = await write(bob, makers, { media });
  return {
    method: 'POST',
    path: '/message/vote',
    body: { group: makers, messageId, options: [1] },
    faultOf: async (answer) => {
      const poll = (await messages(bob, makers, 20)).find(({ id }) => String(id) === messageId);
      return unless(answer.status === 200 && poll?.media?.votes?.join() === '0,1', [answer, poll]);
    },
  };
}

/** It is pressed once at most; a response that is no error means: exactly once. */
async function aPress(): Promise<Operation> {
  await killing.sandbox.call('POST', `/accounts/${ann}/messages`, { peer: bot, text: '/buttons' });
  const [newest] = await messages(ann, bot);
  const messageId = String(newest?.id);
  return {
    method: 'POST',
    path: '/message/button',
    body: { user: bot, messageId, row: 0, column: 0 },
    faultOf: async (answer) => {
      const count = await presses(messageId);
      const isTold = answer.status === 200 && answer.body['text'] === 'This is an alert.';
      const isUnknown = answer.body['message'] === 'it is not known whether the button was pressed';
      return unless((isTold && count === 1) || (isUnknown && count <= 1), [answer, count]);
    },
  };
}

it(`[MX2.6] [MX2.9] [MX4.2] [MX4.4] edits, forwards, votes and presses are done once, over ${kills} kills at any moment`, async () => {
  const unanswered = await overKills(killing, {
    kills,
    longestMomentMs: 100,
    prepare: async (round) => [await anEdit(round), await aForward(round), await aVote(round), await aPress()],
  });
  expect(unanswered).toBeGreaterThan(kills / 2);
});
