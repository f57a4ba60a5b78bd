import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from '../measurement.ts';
import { report } from '../measurement.ts';
import { addAccounts } from '../support/accounts.ts';
import { cpuMsDuring } from '../support/child-program.ts';
import { jsonCall } from '../support/json-call.ts';
import { type Credentials, type LiveGateway, logInAll, withLiveGateway } from '../support/live-gateway.ts';
import { repeat } from '../support/repeat.ts';
import { recipient, sampleText } from '../support/texts.ts';
import { killAndWatch, percentile, watchRecovery } from '../support/watch-restart.ts';

/**
 * Many sessions of one gateway, each of an account of its own: idle, killed, cut off and without Telegram.
 * `MANY_SESSIONS=10000` does it with ten thousand, which takes about 20 minutes.
 */
const sessionCount = Number(process.env['MANY_SESSIONS'] ?? 2000);
const warmUpSessions = 100;
/** Every connection is pinged this often. */
const pingEveryMs = 15_000;
const idleMs = 2 * pingEveryMs;
const refusedMs = 40_000;
/** The gate for new connections lets as many through in a second. */
const connectionsPerSecond = 150;
const textsInFlight = 10;
const timesRead = 7;
const retryMs = 50;

/** Milliseconds until `count` sessions may be connected again, after the gateway can begin. */
const pacedMs = (count: number): number => 1300 + (count / connectionsPerSecond) * 1000;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

const measurements = await withLiveGateway(async (live) => {
  const { sandbox } = live;
  const accounts = await addAccounts(sandbox, sessionCount);
  const first = await logInAll(live, accounts.slice(0, warmUpSessions));
  await sleep(pingEveryMs);
  const before = await live.gateway.usage('memory');
  const all = [...first, ...(await logInAll(live, accounts.slice(warmUpSessions)))];
  await sleep(pingEveryMs);
  const after = await live.gateway.usage('memory');
  return [
    {
      line: `memory of one of ${sessionCount} connected sessions (RSS without the nursery)`,
      value: (after.rssBytes - before.rssBytes) / 1024 / (sessionCount - warmUpSessions),
      unit: 'KB',
      bar: { atMost: 85 },
      detail: `RSS ${Math.round(before.rssBytes / 2 ** 20)} MB with ${warmUpSessions}, ${Math.round(after.rssBytes / 2 ** 20)} MB with all`,
    },
    ...(await idle(live, all)),
    ...(await lists(live)),
    ...(await killed(live, all)),
    ...(await cutOff(live, all)),
    ...(await refused(live, all)),
  ];
});
report(measurements);

/** A text and a probe cost the process about the same: all that is due at once goes out in one turn. */
async function idle(live: LiveGateway, all: readonly Credentials[]): Promise<Measurement[]> {
  const idleCpuMs = await cpuMsDuring(live.gateway, () => sleep(idleMs));
  const probeMs = idleCpuMs / ((sessionCount * idleMs) / pingEveryMs);
  const sendAll = (): Promise<unknown> => repeat(all.length, textsInFlight, (index) => send(live, all[index]));
  await sendAll();
  const textMs = (await cpuMsDuring(live.gateway, sendAll)) / all.length;
  return [
    {
      line: `CPU of a probe ÷ CPU of a text, ${sessionCount} sessions`,
      value: probeMs / textMs,
      unit: '×',
      bar: { atMost: 1 },
      detail: `${probeMs.toFixed(2)} ÷ ${textMs.toFixed(2)} ms; idle, all of it: ${((idleCpuMs / idleMs) * 100).toFixed(1)} % of a core`,
    },
  ];
}

async function lists({ gateway }: LiveGateway): Promise<Measurement[]> {
  const pages: number[] = [];
  const metrics: number[] = [];
  for (let time = 0; time < timesRead; time++) {
    pages.push(await timed(() => allPages(gateway.url)));
    metrics.push(await timed(async () => (await fetch(`${gateway.url}/metrics`)).text()));
  }
  return [
    {
      line: `GET /sessions, all pages of ${sessionCount}`,
      value: percentile(pages, 0.5),
      unit: 'ms',
      bar: { atMost: sessionCount / 100 },
      detail: `median of ${timesRead}; 10 µs a session`,
    },
    {
      line: `GET /metrics with ${sessionCount} sessions`,
      value: percentile(metrics, 0.5),
      unit: 'ms',
      bar: { atMost: 50 },
      detail: `median of ${timesRead}`,
    },
  ];
}

async function killed(live: LiveGateway, all: readonly Credentials[]): Promise<Measurement[]> {
  const { answeringMs, readyMs, allConnectedMs, reads, refusedReads } = await killAndWatch(
    live,
    one(all),
    sessionCount,
  );
  return [
    {
      line: `kill -9 until all of ${sessionCount} are connected`,
      value: allConnectedMs / 1000,
      unit: 's',
      bar: { atMost: pacedMs(sessionCount) / 1000 },
      detail: `answers after ${seconds(answeringMs)} s, ready after ${seconds(readyMs)} s`,
    },
    {
      line: `GET /session meanwhile, p99`,
      value: percentile(reads, 0.99),
      unit: 'ms',
      bar: { atMost: 50 },
      detail: `p50 ${percentile(reads, 0.5).toFixed(1)} ms of ${reads.length}, ${refusedReads} not answered with 200`,
    },
  ];
}

/** All connections end at once, and Telegram is there. */
async function cutOff(live: LiveGateway, all: readonly Credentials[]): Promise<Measurement[]> {
  await network(live, 'cut');
  const since = performance.now();
  const sent = timed(() => send(live, all[Math.floor(all.length / 2)]));
  await sleep(100);
  const { allConnectedMs } = await watchRecovery(live.gateway.url, { watched: one(all), sessionCount, since });
  await sendToEach(live, all);
  const sentToAllMs = performance.now() - since;
  return [
    {
      line: `all ${sessionCount} connections cut: a text in that moment`,
      value: (await sent) / 1000,
      unit: 's',
      bar: { atMost: 2 },
      detail: `all said to be connected after ${seconds(allConnectedMs)} s, a text of each sent after ${seconds(sentToAllMs)} s`,
    },
  ];
}

async function refused(live: LiveGateway, all: readonly Credentials[]): Promise<Measurement[]> {
  await network(live, 'refuse');
  await network(live, 'cut');
  const cpuMs = await cpuMsDuring(live.gateway, () => sleep(refusedMs));
  const since = performance.now();
  await network(live, 'accept');
  const { allConnectedMs } = await watchRecovery(live.gateway.url, { watched: one(all), sessionCount, since });
  return [
    {
      line: `Telegram refuses connections for ${refusedMs / 1000} s: CPU of ${sessionCount} sessions`,
      value: (cpuMs / refusedMs) * 100,
      unit: '% of a core',
      bar: { atMost: 25 },
      detail: '',
    },
    {
      line: 'after that until all are connected',
      value: allConnectedMs / 1000,
      unit: 's',
      bar: { atMost: Math.max(20_000, pacedMs(sessionCount)) / 1000 },
      detail: '',
    },
  ];
}

function one(all: readonly Credentials[]): Credentials {
  const [first] = all;
  if (first === undefined) throw new Error('there is no session');
  return first;
}

/** A text of each session, as soon as it is connected: a session that is cut off for 10 s is not. */
async function sendToEach(live: LiveGateway, all: readonly Credentials[]): Promise<void> {
  await repeat(all.length, textsInFlight, async (index) => {
    for (;;) {
      const failure = await send(live, all[index]).catch((error: unknown) => error);
      if (failure === undefined) return;
      if (!(failure instanceof Error && failure.message.includes('session not connected'))) throw failure;
      await sleep(retryMs);
    }
  });
}

async function send({ gateway }: LiveGateway, credentials: Credentials | undefined): Promise<void> {
  const body = { username: recipient, type: 'text', text: sampleText };
  await jsonCall('POST', `${gateway.url}/message`, { headers: { ...credentials }, body });
}

async function network({ sandbox }: LiveGateway, action: 'cut' | 'refuse' | 'accept'): Promise<void> {
  await jsonCall('POST', `${sandbox.url}/network`, { body: { action } });
}

async function allPages(url: string): Promise<void> {
  let after: string | undefined;
  while (after !== '') {
    const query: string = after === undefined ? '' : `&after=${after}`;
    ({ after } = await jsonCall<{ after: string }>('GET', `${url}/sessions?limit=1000${query}`));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
