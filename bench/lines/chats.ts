import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../measurement.ts';
import { ann, bob } from '../support/accounts.ts';
import { logInBare, withBareClients } from '../support/bare-clients.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { getTimes } from '../support/get.ts';
import { jsonCall } from '../support/json-call.ts';
import { type Credentials, type LiveGateway, logIn, logInMany, withLiveGateway } from '../support/live-gateway.ts';
import type { Usage } from '../support/probe.ts';

/**
 * The list of an account with 1,000 chats, and a page of a private chat, against GramJS alone, with our speed-ups, that
 * asks Telegram the same; and the memory of sessions that have read the whole list.
 */
const chatCount = 1_000;
const seeded = 20;
const pageSize = 100;
/** As in the line of channel messages: the fastest page of a run counts. */
const pagesPerRun = 40;
const runs = 11;
const warmUpSessions = 20;
const sessionCount = 60;
/** What the reading has left behind is gone, and every connection has been pinged. */
const settleMs = 20_000;

interface Times {
  gateway: number;
  gramjs: number;
}

const { list, page, before, after } = await withLiveGateway(async (live) => {
  const { sandbox } = live;
  await jsonCall('POST', `${sandbox.url}/accounts/${ann}/groups`, { body: { count: chatCount - seeded } });
  for (let count = 0; count < pageSize; count += 1) {
    const body = { peer: ann, text: `Message ${count} of a chat that is read page after page` };
    await jsonCall('POST', `${sandbox.url}/accounts/${bob}/messages`, { body });
  }
  const headers = await logIn(live, ann);
  const times = await withBareClients('gramjs', sandbox, async (gramjs) => {
    await logInBare(gramjs, sandbox, [ann]);
    return { list: await listTimes(live, headers, gramjs), page: await pageTimes(live, headers, gramjs) };
  });
  return { ...times, ...(await growthOf(live)) };
});

const of = (times: readonly Times[], side: keyof Times): string => median(times.map((run) => run[side])).toFixed(2);
const ratio = (times: readonly Times[]): number => median(times.map(({ gateway, gramjs }) => gateway / gramjs));
report([
  {
    line: `GET /chat, ${pageSize} of ${chatCount} chats ÷ bare messages.getDialogs`,
    value: ratio(list),
    unit: '×',
    bar: { atMost: 1.3 },
    detail: `${of(list, 'gateway')} ÷ ${of(list, 'gramjs')} ms the first page; HTTP and signed links on our side only`,
  },
  {
    line: `GET /chat/message, ${pageSize} of a private chat ÷ bare messages.getHistory`,
    value: ratio(page),
    unit: '×',
    bar: { atMost: 1.25 },
    detail: `${of(page, 'gateway')} ÷ ${of(page, 'gramjs')} ms a page`,
  },
  {
    line: `memory of a session that listed ${chatCount} chats (RSS without the nursery)`,
    value: (after.rssBytes - before.rssBytes) / sessionCount / 1024,
    unit: 'KB',
    bar: { atMost: 400 },
    detail: `${sessionCount} sessions; heap of each ${((after.heapBytes - before.heapBytes) / sessionCount / 1024).toFixed(0)} KB`,
  },
]);

function listTimes({ gateway }: LiveGateway, headers: Credentials, gramjs: ChildProgram): Promise<Times[]> {
  return sideBySide(
    () => getTimes(`${gateway.url}/chat?limit=${pageSize}`, headers, pagesPerRun),
    () => gramjs.command<number[]>('readChats', { limit: pageSize, count: pagesPerRun }),
  );
}

function pageTimes({ gateway }: LiveGateway, headers: Credentials, gramjs: ChildProgram): Promise<Times[]> {
  return sideBySide(
    () => getTimes(`${gateway.url}/chat/message?chatId=${bob}&limit=${pageSize}`, headers, pagesPerRun),
    () => gramjs.command<number[]>('readHistory', { username: 'bobstone', kind: 'user', count: pagesPerRun }),
  );
}

async function sideBySide(gateway: () => Promise<number[]>, gramjs: () => Promise<number[]>): Promise<Times[]> {
  const measured: Times[] = [];
  // The first run warms up.
  for (let run = 0; run <= runs; run += 1) {
    const fastest = { gramjs: Math.min(...(await gramjs())), gateway: Math.min(...(await gateway())) };
    if (run > 0) measured.push(fastest);
  }
  return measured;
}

/** Other sessions have read the list before: compiled code and pools exist. */
async function growthOf(live: LiveGateway): Promise<{ before: Usage; after: Usage }> {
  const growBy = async (count: number): Promise<Usage> => {
    for (const headers of await logInMany(live, ann, count)) await readAll(live, headers);
    await sleep(settleMs);
    return live.gateway.usage('memory');
  };
  return { before: await growBy(warmUpSessions), after: await growBy(sessionCount) };
}

async function readAll({ gateway }: LiveGateway, headers: Credentials): Promise<void> {
  let place = '';
  do {
    const url = `${gateway.url}/chat?limit=${pageSize}${place && `&after=${place}`}`;
    ({ after: place } = await jsonCall<{ after: string }>('GET', url, { headers }));
  } while (place !== '');
}
