import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, report } from '../measurement.ts';
import { ann } from '../support/accounts.ts';
import { type ChildProgram, cpuMsDuring, startProgram } from '../support/child-program.ts';
import { type Credentials, getSession, logIn, withLiveGateway } from '../support/live-gateway.ts';
import { pollSession } from '../support/load.ts';
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

async function read(program: ChildProgram, headers: Credentials): Promise<Reading> {
  let perSecond = 0;
  let responses = 0;
  const cpuMs = await cpuMsDuring(program, async () => {
    const polled = await pollSession(program, headers, { connections, seconds: secondsPerRun });
    responses = polled.responses;
    perSecond = polled.responses / polled.seconds;
  });
  return { perSecond, cpuMicroseconds: (cpuMs / responses) * 1000 };
}
