import { median, report } from '../measurement.ts';
import { ann } from '../support/accounts.ts';
import { logInBareCrowd, withBareClients } from '../support/bare-clients.ts';
import { type ChildProgram, cpuMsDuring } from '../support/child-program.ts';
import { logIn, withLiveGateway } from '../support/live-gateway.ts';
import { sendTexts } from '../support/load.ts';
import { recipient, sampleText, type Texts } from '../support/texts.ts';

/** CPU time of one text sent by one session, against GramJS and mtcute alone, which send the same texts to the same chat. */
const inFlight = 16;
const textsPerRun = 2000;
const runs = 7;
/** V8 compiles on threads of the measured process. It has compiled all of them after this many runs. */
const warmUps = 8;

/** Milliseconds of one text: through the gateway, with each library's own method for it, and with the bare RPC. */
type Costs = Record<'gateway' | 'gramjs' | 'gramjsRequest' | 'mtcute' | 'mtcuteRequest', number>;

const costs = await withLiveGateway(async (live) => {
  const { gateway, sandbox } = live;
  const headers = await logIn(live, ann);
  return withBareClients('gramjs', sandbox, (gramjs) =>
    withBareClients('mtcute', sandbox, async (mtcute) => {
      for (const library of [gramjs, mtcute]) await logInBareCrowd(library, sandbox, 1);
      const measured: Costs[] = [];
      for (let run = 0; run < warmUps + runs; run++) {
        const cost: Costs = {
          gateway: await cpuOfText(gateway, () => sendTexts(gateway, headers, { count: textsPerRun, inFlight })),
          gramjs: await cpuOfText(gramjs, () => sendBare(gramjs, 'client')),
          gramjsRequest: await cpuOfText(gramjs, () => sendBare(gramjs, 'request')),
          mtcute: await cpuOfText(mtcute, () => sendBare(mtcute, 'client')),
          mtcuteRequest: await cpuOfText(mtcute, () => sendBare(mtcute, 'request')),
        };
        if (run >= warmUps) measured.push(cost);
      }
      return measured;
    }),
  );
});

report([
  {
    line: 'CPU of one POST /message text, 16 in flight on one session ÷ CPU of a bare GramJS client',
    value: median(costs.map(({ gateway, gramjs }) => gateway / gramjs)),
    unit: '×',
    bar: { atMost: 1.5 },
    detail:
      `${inMicroseconds('gateway')} ÷ ${inMicroseconds('gramjs')} µs (client.sendMessage, same speed-ups); ` +
      `its invoke() alone takes ${inMicroseconds('gramjsRequest')} µs`,
  },
  {
    line: 'CPU of one POST /message text, 16 in flight on one session ÷ CPU of a bare mtcute client',
    value: median(costs.map(({ gateway, mtcute }) => gateway / mtcute)),
    unit: '×',
    bar: { atMost: 2 },
    detail:
      `${inMicroseconds('gateway')} ÷ ${inMicroseconds('mtcute')} µs (client.sendText, no HTTP); ` +
      `its call() alone takes ${inMicroseconds('mtcuteRequest')} µs`,
  },
]);

function inMicroseconds(of: keyof Costs): string {
  return (median(costs.map((run) => run[of])) * 1000).toFixed(0);
}

/** Milliseconds of the program's process. */
async function cpuOfText(program: ChildProgram, send: () => Promise<void>): Promise<number> {
  return (await cpuMsDuring(program, send)) / textsPerRun;
}

function sendBare(program: ChildProgram, way: Texts['way']): Promise<void> {
  const texts: Texts = { username: recipient, text: sampleText, count: textsPerRun, inFlight, way };
  return program.command('send', texts);
}
