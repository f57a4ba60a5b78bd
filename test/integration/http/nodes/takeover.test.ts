import { beforeEach, expect, it } from 'vitest';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { openTwoNodesWithSession, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Requests for a session that was another node's a moment ago, and is not connected again yet. */

let nodes: TwoNodes;
let headers: SessionHeaders;
let sent: string[];
let account: TelegramAccount;

beforeEach(async () => {
  ({ nodes, headers, account, sent } = await openTwoNodesWithSession());
});

const send = (text: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${nodes.two.url}/message`, {
    method: 'POST',
    signal: signal ?? null,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ user: '1002', type: 'text', text }),
  });

beforeEach(async () => {
  nodes.owners.set(headers.id, undefined);
  await nodes.one.gate.sessions.release(allPartitions);
  nodes.owners.set(headers.id, 'two');
  await nodes.two.gate.sessions.take({ has: (id) => id === headers.id, numbers: [0] });
});
const connectAgain = async (): Promise<void> => {
  nodes.two.gate.accounts.set(headers.id, account);
  await nodes.two.gate.links.of(headers.id).report(linkFact('ConnectionRestored', 1));
  await settleNetwork();
};

it('[CL5.24] a session has its requests wait until it is connected again', async () => {
  const answer = send('hello');
  await settleNetwork();
  await connectAgain();
  const { status } = await whileTimePasses(nodes.clock, answer);
  expect([status, sent]).toEqual([200, ['hello']]);
});

it('[CL5.24] a session has them wait for 5 seconds after it was taken, and no longer', async () => {
  const answer = send('hello');
  await settleNetwork();
  const from = nodes.clock.elapsed();
  const response = await whileTimePasses(nodes.clock, answer);
  expect(nodes.clock.elapsed() - from).toBe(5_000);
  expect([response.status, (await response.json()) as object, sent]).toEqual([
    500,
    { statusCode: 500, message: 'session not connected' },
    [],
  ]);
  expect((await send('again')).status).toBe(500);
});

it('[CL5.22] [CL5.24] nothing is done for a caller that leaves meanwhile', async () => {
  const leaving = new AbortController();
  const answer = send('hello', leaving.signal).catch(() => 'left');
  await settleNetwork();
  leaving.abort();
  expect(await answer).toBe('left');
  await settleNetwork();
  await connectAgain();
  await passTime(nodes.clock, 1_000);
  expect(sent).toEqual([]);
});
