import { median, report } from '../measurement.ts';
import { type ChildProgram, startProgram } from '../support/child-program.ts';
import { type LiveMedia, readAll, withLiveMedia } from '../support/media-link.ts';

/** A file that nobody has viewed, through its link, against the client library alone that fetches as much. */
const partBytes = 512 * 1024;
const parts = 40;
const runs = 9;
const firstByteRuns = 31;

interface Times {
  gatewayMs: number;
  bareMs: number;
}

const { whole, first } = await withLiveMedia(async (live) => {
  const bare = await startProgram('bench/programs/bare-client', {
    BARE_SANDBOX: live.sandbox.url,
    BARE_USER: '1001',
  });
  try {
    return {
      whole: await measure(
        runs,
        () => viewWhole(live),
        () => fetchBare(live, bare, parts),
      ),
      first: await measure(
        firstByteRuns,
        () => viewFirst(live),
        () => fetchBare(live, bare, 1),
      ),
    };
  } finally {
    await bare.end();
  }
});

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

/** One side after the other, so that what disturbs disturbs both; the first run warms up. */
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

/** A range in the middle of a file, until its first byte. */
async function viewFirst({ post, link }: LiveMedia): Promise<number> {
  const url = link(await post(4 * partBytes));
  const begun = performance.now();
  const response = await fetch(url, { headers: { range: `bytes=${2 * partBytes}-${2 * partBytes + 1000}` } });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const taken = performance.now() - begun;
  if (response.status !== 206 || value === undefined || value.length === 0) throw new Error(`${response.status}`);
  await reader?.cancel();
  return taken;
}

async function fetchBare({ post }: LiveMedia, bare: ChildProgram, count: number): Promise<number> {
  const message = await post(Math.max(4, count) * partBytes);
  const begun = performance.now();
  const response = await fetch(`${bare.url}/file?message=${message}&parts=${count}`, { method: 'POST' });
  if (!response.ok) throw new Error('the bare client fetched nothing');
  await response.text();
  return performance.now() - begun;
}
