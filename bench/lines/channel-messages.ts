import { median, report } from '../measurement.ts';
import { type ChildProgram, startProgram } from '../support/child-program.ts';
import { get } from '../support/get.ts';
import { ann, logIn, withLiveGateway } from '../support/live-gateway.ts';

/**
 * A page of 100 channel messages over HTTP, against the client library that asks for the same and does nothing else: with
 * the speed-ups of its cryptography, and its own reading of what it is answered.
 */
const channel = 'daily';
/** The fastest of them counts: there are four changes of process on one side, two on the other, for others to cut in. */
const pagesPerRun = 40;
const runs = 11;

const times = await withLiveGateway(async (live) => {
  const { gateway, sandbox } = live;
  const headers = await logIn(live, ann);
  const url = `${gateway.url}/channel/message?channelId=${channel}`;
  const bare = await startProgram('bench/programs/bare-client', { BARE_SANDBOX: sandbox.url, BARE_USER: ann });
  try {
    const measured: { gateway: number; bare: number }[] = [];
    // The first run warms up.
    for (let run = 0; run <= runs; run++) {
      const both = { gateway: Math.min(...(await readPages(url, headers))), bare: Math.min(...(await readBare(bare))) };
      if (run > 0) measured.push(both);
    }
    return measured;
  } finally {
    await bare.end();
  }
});

const inMs = (of: 'gateway' | 'bare'): string => median(times.map((run) => run[of])).toFixed(2);
report([
  {
    line: 'GET /channel/message of 100 ÷ bare messages.getHistory',
    value: median(times.map(({ gateway, bare }) => gateway / bare)),
    unit: '×',
    bar: { atMost: 1.3 },
    detail: `${inMs('gateway')} ÷ ${inMs('bare')} ms a page; HTTP, the signed links and our own reading of answers on one side only`,
  },
]);

async function readPages(url: string, headers: Record<string, string>): Promise<number[]> {
  const took: number[] = [];
  for (let page = 0; page < pagesPerRun; page++) took.push((await get(url, headers)).ms);
  return took;
}

async function readBare(bare: ChildProgram): Promise<number[]> {
  const response = await fetch(`${bare.url}/history?of=${channel}&count=${pagesPerRun}`, { method: 'POST' });
  if (!response.ok) throw new Error('the bare client did not read');
  return (await response.json()) as number[];
}
