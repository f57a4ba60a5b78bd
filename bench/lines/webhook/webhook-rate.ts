import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../../measurement.ts';
import { ann } from '../../support/accounts.ts';
import { type ChildProgram, cpuMsDuring, startProgram } from '../../support/child-program.ts';
import { startCountingEndpoint } from '../../support/counting-endpoint.ts';
import { jsonCall } from '../../support/json-call.ts';
import {
  type Credentials,
  type LiveGateway,
  logInMany,
  setWebhook,
  withLiveGateway,
} from '../../support/live-gateway.ts';
import { inTemporaryFolder } from '../../support/write-model.ts';

/** Recorded events of fifty sessions, all replayed at the same time, against undici alone that posts the same bodies. */
const sessions = 50;
/** Senders, and how much each has written. */
const chats = 8;
const messagesPerChat = 15;
const events = sessions * chats * messagesPerChat;
/** The gateway's own limit: one attempt a session, and 128 more. */
const inFlight = sessions + 128;
const runs = 7;
/** V8 compiles on threads of the measured process. It has compiled most of a delivery after this many runs. */
const warmUps = 3;

const endpoint = await startCountingEndpoint();
const measured = await inTemporaryFolder((folder) =>
  withLiveGateway(
    async (live) => {
      const all = await logInMany(live, ann, sessions);
      for (const headers of all) await setWebhook(live, headers, endpoint.url);
      await sleep(500);
      const delivered = endpoint.next(events);
      await writeAll(live);
      await delivered;
      const file = join(folder, 'bodies.json');
      await writeFile(file, JSON.stringify(endpoint.bodies));
      const bare = await startProgram('bench/programs/bare-poster', {});
      try {
        const rates: Record<'gateway' | 'bare', Rate>[] = [];
        for (let run = 0; run < warmUps + runs; run++) {
          const rate = {
            bare: await rateOf(bare, () => bare.command('post', { url: endpoint.url, file, inFlight })),
            gateway: await rateOf(live.gateway, () => Promise.all(all.map((headers) => replay(live, headers)))),
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
endpoint.close();

report([
  {
    line: `events delivered over ${sessions} sessions ÷ posts of the same bodies by bare undici`,
    value: median(measured.map(({ gateway, bare }) => gateway.perSecond / bare.perSecond)),
    unit: '×',
    bar: { atLeast: 0.35 },
    detail:
      `${middle('gateway', 'perSecond')} against ${middle('bare', 'perSecond')} a second, ${inFlight} in flight; ` +
      `CPU of one ${middle('gateway', 'cpuMicroseconds')} and ${middle('bare', 'cpuMicroseconds')} µs`,
  },
]);

interface Rate {
  /** Events a second, until the last one is at the webhook. */
  perSecond: number;
  /** Of the program that posts, for one event. */
  cpuMicroseconds: number;
}

function middle(of: 'gateway' | 'bare', what: keyof Rate): string {
  return median(measured.map((run) => run[of][what])).toFixed(0);
}

async function rateOf(program: ChildProgram, post: () => Promise<unknown>): Promise<Rate> {
  endpoint.bodies.length = 0;
  const arrived = endpoint.next(events);
  let seconds = NaN;
  const cpuMs = await cpuMsDuring(program, async () => {
    const begun = performance.now();
    await post();
    seconds = ((await arrived) - begun) / 1000;
  });
  return { perSecond: events / seconds, cpuMicroseconds: (cpuMs / events) * 1000 };
}

/** All sessions are of one account: each message is an event of every session. */
async function writeAll({ sandbox }: LiveGateway): Promise<void> {
  for (let chat = 0; chat < chats; chat++) {
    const account = { firstName: `Writer ${chat}` };
    const { userId } = await jsonCall<{ userId: string }>('POST', `${sandbox.url}/accounts`, { body: account });
    for (let count = 0; count < messagesPerChat; count++) {
      const body = { peer: ann, text: `The train leaves at ${count}:15 from platform 4, see you there` };
      await jsonCall('POST', `${sandbox.url}/accounts/${userId}/messages`, { body });
    }
  }
}

async function replay({ gateway }: LiveGateway, headers: Credentials): Promise<void> {
  await jsonCall('POST', `${gateway.url}/session/webhook/replay`, { headers, body: { from: 1 } });
}
