import { median, report } from '../measurement.ts';
import { ann } from '../support/accounts.ts';
import { logInBare, withBareClients } from '../support/bare-clients.ts';
import { getTimes } from '../support/get.ts';
import { logIn, withLiveGateway } from '../support/live-gateway.ts';

/** A page of 100 channel messages over HTTP, against GramJS alone, with our speed-ups, that requests the same page. */
const channel = 'daily';
/**
 * The fastest page of a run counts: others may use the machine, and the gateway's side has four process switches to be
 * delayed at, the other has two.
 */
const pagesPerRun = 40;
const runs = 11;

const times = await withLiveGateway(async (live) => {
  const { gateway, sandbox } = live;
  const headers = await logIn(live, ann);
  const url = `${gateway.url}/channel/message?channelId=${channel}`;
  return withBareClients('gramjs', sandbox, async (gramjs) => {
    await logInBare(gramjs, sandbox, [ann]);
    const measured: Record<'gateway' | 'gramjs', number>[] = [];
    // The first run warms up.
    for (let run = 0; run <= runs; run++) {
      const pages = await gramjs.command<number[]>('readHistory', { username: channel, count: pagesPerRun });
      const fastest = { gateway: Math.min(...(await getTimes(url, headers, pagesPerRun))), gramjs: Math.min(...pages) };
      if (run > 0) measured.push(fastest);
    }
    return measured;
  });
});

const inMs = (of: 'gateway' | 'gramjs'): string => median(times.map((run) => run[of])).toFixed(2);
report([
  {
    line: 'GET /channel/message of 100 ÷ bare messages.getHistory',
    value: median(times.map(({ gateway, gramjs }) => gateway / gramjs)),
    unit: '×',
    bar: { atMost: 1.25 },
    detail: `${inMs('gateway')} ÷ ${inMs('gramjs')} ms a page; HTTP, the signed links and our own reader of answers on our side only`,
  },
]);
