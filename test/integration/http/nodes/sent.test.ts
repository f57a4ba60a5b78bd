import { beforeEach, expect, it } from 'vitest';
import { SentMessages } from '../../../../src/telegram/gramjs/sending/sent-messages.ts';
import { openTwoNodes, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import { passTime } from '../../../support/kit/passing-time.ts';

/** What two logins of one account have sent, of which each node has one. */

const account = '1001';
const chat = '1002';
const never = new AbortController().signal;

let nodes: TwoNodes;
let first: SentMessages;
let second: SentMessages;
beforeEach(async () => {
  nodes = await openTwoNodes();
  first = new SentMessages(
    () => {},
    nodes.one.sends,
    () => account,
  );
  second = new SentMessages(
    () => {},
    nodes.two.sends,
    () => account,
  );
});

function send(login: SentMessages, id: number): void {
  login.begin(BigInt(id), chat);
  login.remember(BigInt(id), id);
  login.end(chat);
}

it('[CL5.9] a message is known from the node that has sent it', async () => {
  send(first, 5);
  send(second, 6);
  expect(await second.isSentElsewhere(chat, 5, never)).toBe(true);
  expect(await second.isSentElsewhere(chat, 6, never)).toBe(false);
  expect(await second.isSentElsewhere('1003', 5, never)).toBe(false);
  expect(await first.isSentElsewhere(chat, 6, never)).toBe(true);
  const stranger = new SentMessages(
    () => {},
    nodes.two.sends,
    () => '1009',
  );
  expect(await stranger.isSentElsewhere(chat, 5, never)).toBe(false);
});

it('[CL5.9] what is in flight is waited for', async () => {
  first.begin(1n, chat);
  let isSent: boolean | undefined;
  const asked = second.isSentElsewhere(chat, 5, never).then((answer) => {
    isSent = answer;
  });
  await passTime(nodes.clock, 3_000);
  expect(isSent).toBeUndefined();
  first.remember(1n, 5);
  first.end(chat);
  await asked;
  expect(isSent).toBe(true);
});

it('[CL5.9] what a login sent is known when it has ended', async () => {
  send(first, 5);
  first.leave();
  expect(await second.isSentElsewhere(chat, 5, never)).toBe(true);
  expect(await second.isSentElsewhere(chat, 6, never)).toBe(false);
});

it('[CL5.9] a node that does not answer is asked again when it is heard', async () => {
  send(first, 5);
  const { url } = nodes.one;
  const { self } = nodes.one.cluster;
  Object.assign(self, { url: 'http://127.0.0.1:1' });
  expect(await second.isSentElsewhere(chat, 5, never)).toBe(false);
  Object.assign(self, { url });
  nodes.one.cluster.heardOfMsAgo = 1_000;
  expect(await second.isSentElsewhere(chat, 5, never)).toBe(false);
  await nodes.clock.advance(1_000);
  nodes.one.cluster.heardOfMsAgo = 0;
  expect(await second.isSentElsewhere(chat, 5, never)).toBe(true);
});
