import { median, report } from '../measurement.ts';
import { ann } from '../support/accounts.ts';
import { logInBare, withBareClients } from '../support/bare-clients.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { type LiveMedia, readAll, withLiveMedia } from '../support/media-link.ts';

/** A file that is not cached, through its media link, against GramJS alone that fetches the same amount. */
const partBytes = 512 * 1024;
const parts = 40;
const runs = 9;
const firstByteRuns = 31;

interface Times {
  gatewayMs: number;
  bareMs: number;
}

const { whole, first } = await withLiveMedia((live) =>
  withBareClients('gramjs', live.sandbox, async (gramjs) => {
    await logInBare(gramjs, live.sandbox, [ann]);
    return {
      whole: await measure(
        runs,
        () => viewWhole(live),
        () => fetchBare(live, gramjs, parts),
      ),
      first: await measure(
        firstByteRuns,
        () => viewFirst(live),
        () => fetchBare(live, gramjs, 1),
      ),
    };
  }),
);

report([
  {
    line: 'Throughput of a cold file of 20 MB, one viewer ÷ bare GramJS getFile of 512 KB, one in flight',
    value: median(whole.map(({ bareMs, gatewayMs }) => bareMs / gatewayMs)),
    unit: '×',
    bar: { atLeast: 0.9 },
    detail: `${rate('gatewayMs')} ÷ ${rate('bareMs')} MB/s, same speed-ups`,
  },
  {
    line: 'First byte of a cold range ÷ a bare getFile call',
    value: median(first.map(({ bareMs, gatewayMs }) => gatewayMs / bareMs)),
    unit: '×',
    bar: { atMost: 1.5 },
    detail: `${time('gatewayMs')} ÷ ${time('bareMs')} ms; the message is looked up on both sides`,
  },
]);

function rate(of: keyof Times): string {
  return (((parts * partBytes) / 1024 / 1024 / median(whole.map((run) => run[of]))) * 1000).toFixed(0);
}

function time(of: keyof Times): string {
  return median(first.map((run) => run[of])).toFixed(1);
}

/** The two sides take turns, so that a disturbance hits both. The first run warms up. */
async function measure(count: number, gateway: () => Promise<number>, bare: () => Promise<number>): Promise<Times[]> {
  const measured: Times[] = [];
  for (let run = 0; run <= count; run++) {
    const times = { gatewayMs: await gateway(), bareMs: await bare() };
    if (run > 0) measured.push(times);
  }
  return measured;
}

async function viewWhole({ post, link }: LiveMedia): Promise<number> {
  const bytes = parts * partBytes;
  const url = link(await post(bytes));
  const begun = performance.now();
  await readAll(await fetch(url), bytes);
  return performance.now() - begun;
}

/** Milliseconds until the first byte of a range in the middle of a file. */
async function viewFirst({ post, link }: LiveMedia): Promise<number> {
  const url = link(await post(4 * partBytes));
  const begun = performance.now();
  const response = await fetch(url, { headers: { range: `bytes=${2 * partBytes}-${2 * partBytes + 1000}` } });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const tookMs = performance.now() - begun;
  if (response.status !== 206 || value === undefined || value.length === 0) throw new Error(`${response.status}`);
  await reader?.cancel();
  return tookMs;
}

async function fetchBare({ post }: LiveMedia, gramjs: ChildProgram, count: number): Promise<number> {
  const message = await post(Math.max(4, count) * partBytes);
  const begun = performance.now();
  await gramjs.command('fetchFile', { message, parts: count });
  return performance.now() - begun;
}
