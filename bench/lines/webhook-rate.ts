import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../measurement.ts';
import { type ChildProgram, startProgram } from '../support/child-program.ts';
import { ann, type Credentials, type LiveGateway, logInMany, withLiveGateway } from '../support/live-gateway.ts';
import { startReceiver } from '../support/receiver.ts';
import { inTemporaryFolder } from '../support/write-model.ts';

/** Recorded events of fifty sessions, sent again at once, against undici alone that posts the same bodies. */
const sessions = 50;
/** People who wrote, and how much each. */
const chats = 8;
const messagesOfChat = 15;
const events = sessions * chats * messagesOfChat;
/** What the gateway has under way at most: one a session, and 128 more. */
const inFlight = sessions + 128;
const runs = 7;
/** V8 compiles on threads of its own, which are the other side's then. */
const warmUps = 3;

const receiver = await startReceiver();
const measured = await inTemporaryFolder((folder) =>
  withLiveGateway(
    async (live) => {
      const all = await logInMany(live, sessions);
      for (const headers of all) await call(live, headers, 'PUT', '', { url: receiver.url, token: 'token' });
      await sleep(500);
      const delivered = receiver.next(events);
      await writeAll(live);
      await delivered;
      const file = join(folder, 'bodies.json');
      await writeFile(file, JSON.stringify(receiver.bodies));
      const bare = await startProgram('bench/programs/bare-poster', {});
      const query = new URLSearchParams({ url: receiver.url, file, inFlight: String(inFlight) });
      try {
        const rates: Record<'gateway' | 'bare', Rate>[] = [];
        for (let run = 0; run < warmUps + runs; run++) {
          const rate = {
            bare: await rateOf(bare, async () => {
              const posted = await fetch(`${bare.url}/?${query.toString()}`, { method: 'POST' });
              if (!posted.ok) throw new Error(await posted.text());
            }),
            gateway: await rateOf(live.gateway, async () => {
              await Promise.all(all.map((headers) => call(live, headers, 'POST', '/replay', { from: 1 })));
            }),
          };
          if (run >= warmUps) rates.push(rate);
        }
        return rates;
      } finally {
        await bare.end();
      }
    },
    { ALLOW_PRIVATE_URLS: 'true' },
  ),
);
receiver.close();

report([
  {
    line: `events delivered over ${sessions} sessions ÷ posts of the same bodies by bare undici`,
    value: median(measured.map(({ gateway, bare }) => gateway.perSecond / bare.perSecond)),
    unit: '×',
    bar: { atLeast: 0.5 },
    detail:
      `${middle('gateway', 'perSecond')} against ${middle('bare', 'perSecond')} a second, ${inFlight} at a time; ` +
      `CPU of one ${middle('gateway', 'cpuMicroseconds')} and ${middle('bare', 'cpuMicroseconds')} µs`,
  },
]);

interface Rate {
  /** Events a second, until the last one is at the receiver. */
  perSecond: number;
  /** Of the program that sends. */
  cpuMicroseconds: number;
}

function middle(of: 'gateway' | 'bare', what: keyof Rate): string {
  return median(measured.map((run) => run[of][what])).toFixed(0);
}

async function rateOf(program: ChildProgram, send: () => Promise<void>): Promise<Rate> {
  receiver.bodies.length = 0;
  const arrived = receiver.next(events);
  const before = await program.usage('cpu');
  const begun = performance.now();
  await send();
  const seconds = ((await arrived) - begun) / 1000;
  const after = await program.usage('cpu');
  return { perSecond: events / seconds, cpuMicroseconds: ((after.cpuMs - before.cpuMs) / events) * 1000 };
}

/** All sessions are of one account: each message is an event of every one of them. */
async function writeAll({ sandbox }: LiveGateway): Promise<void> {
  for (let chat = 0; chat < chats; chat++) {
    const account = { firstName: `Writer ${chat}` };
    const { userId } = await post<{ userId: string }>(`${sandbox.url}/accounts`, account);
    for (let count = 0; count < messagesOfChat; count++) {
      const message = { peer: ann, text: `The train leaves at ${count}:15 from platform 4, see you there` };
      await post(`${sandbox.url}/accounts/${userId}/messages`, message);
    }
  }
}

async function call(
  { gateway }: LiveGateway,
  headers: Credentials,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${gateway.url}/session/webhook${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function post<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
