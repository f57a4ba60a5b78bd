import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { median, report } from '../measurement.ts';
import { ann } from '../support/accounts.ts';
import { type ChildProgram, cpuMsDuring, startProgram } from '../support/child-program.ts';
import { getSession, logIn, withLiveGateway } from '../support/live-gateway.ts';
import { inTemporaryFolder } from '../support/write-model.ts';

/** Polling a connected session, against a route that only sends the same bytes. */
const connections = 32;
const secondsPerRun = 2;
const runs = 9;

const measured = await withLiveGateway(async (live) => {
  const { gateway } = live;
  const headers = await logIn(live, ann);
  const response = await getSession(gateway, headers);
  if (response.picture === '') throw new Error('the session has no picture');
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'response.json');
    writeFileSync(file, JSON.stringify(response));
    const bare = await startProgram('bench/programs/bare-route', { BARE_RESPONSE: file });
    try {
      await read(gateway, headers);
      await read(bare, headers);
      const rates: { gateway: Reading; bare: Reading }[] = [];
      for (let run = 0; run < runs; run++) {
        rates.push({ gateway: await read(gateway, headers), bare: await read(bare, headers) });
      }
      return rates;
    } finally {
      await bare.end();
    }
  });
});

const rate = (of: 'gateway' | 'bare'): string => `${Math.round(median(measured.map((run) => run[of].perSecond)))}/s`;
const cpu = (of: 'gateway' | 'bare'): string => median(measured.map((run) => run[of].cpuMicroseconds)).toFixed(0);
report([
  {
    line: 'GET /session over HTTP ÷ a bare Fastify route that returns the same JSON',
    value: median(measured.map(({ gateway, bare }) => gateway.perSecond / bare.perSecond)),
    unit: '×',
    bar: { atLeast: 0.8 },
    detail: `${rate('gateway')} ÷ ${rate('bare')}; CPU of a request ${cpu('gateway')} and ${cpu('bare')} µs`,
  },
]);

interface Reading {
  perSecond: number;
  cpuMicroseconds: number;
}

async function read(program: ChildProgram, headers: Record<string, string>): Promise<Reading> {
  const url = `${program.url}/session`;
  let responses = 0;
  let seconds = 0;
  const cpuMs = await cpuMsDuring(program, async () => {
    const result = await autocannon({ url, headers, connections, duration: secondsPerRun });
    if (result['2xx'] === 0 || result.non2xx > 0 || result.errors > 0) throw new Error(`${url} has failed`);
    responses = result['2xx'];
    seconds = result.duration;
  });
  return { perSecond: responses / seconds, cpuMicroseconds: (cpuMs / responses) * 1000 };
}
