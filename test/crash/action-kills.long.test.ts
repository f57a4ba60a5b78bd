import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { killsOr, useKilling, withKillSeed } from '../support/crash/killing.ts';
import { ann, loggedIn, pollMs } from '../support/crash/writing-people.ts';
import { type Answer, httpClient } from '../support/gateway/gateway.ts';

/** What is done to messages under an `Idempotency-Key`, over `kill -9` of the real program. */

const kills = killsOr(20);
/** How long after the requests the gateway is killed, at most: they take about half as long. */
const longestMomentMs = 100;
const timeoutMs = 300_000;
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

/** One operation: its request, and what is wrong with what became of it. */
interface Operation {
  method: string;
  path: string;
  body: object;
  /** @param answer to the repeated request */
  faultOf: (answer: Answer) => Promise<string | undefined>;
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
const unless = (isRight: boolean, found: unknown): string | undefined => (isRight ? undefined : JSON.stringify(found));

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

/** The session is not yet back. */
const asksForPatience = ({ status, body }: Answer): boolean =>
  status === 503 || body['message'] === 'session not connected' || body['message'] === 'session not found';

it(
  `[MX2.6] [MX2.9] [MX4.2] [MX4.4] edits, forwards, votes and presses are done once, over ${kills} kills at any moment`,
  { timeout: timeoutMs },
  () =>
    withKillSeed(async (chance) => {
      let gateway = killing.prepare();
      let http = httpClient(await gateway.run());
      const headers = await loggedIn(killing.sandbox, http);
      let unanswered = 0;
      for (let round = 0; round < kills; round++) {
        const next = killing.prepare();
        const operations = [await anEdit(round), await aForward(round), await aVote(round), await aPress()];
        const ask = ({ method, path, body }: Operation): Promise<Answer> =>
          http.request(method, path, { headers: { ...headers, 'idempotency-key': `${path} ${round}` }, body });
        const first = Promise.allSettled(operations.map(ask));
        await pause(chance() * longestMomentMs);
        await killing.kill(gateway);
        unanswered += (await first).filter(({ status }) => status === 'rejected').length;
        gateway = next;
        http = httpClient(await gateway.run());
        for (const operation of operations) {
          let answer = await ask(operation);
          while (asksForPatience(answer)) {
            await pause(pollMs);
            answer = await ask(operation);
          }
          const fault = await operation.faultOf(answer);
          expect(fault && `${operation.path} ${round}: ${fault}`).toBeUndefined();
        }
      }
      // Else none of the kills fell where it matters.
      expect(unanswered).toBeGreaterThan(kills / 2);
    }),
);
