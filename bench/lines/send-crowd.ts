import autocannon from 'autocannon';
import { median, report } from '../measurement.ts';
import { addAccounts } from '../support/accounts.ts';
import { logInBareCrowd, withBareClients } from '../support/bare-clients.ts';
import { type ChildProgram, cpuMsDuring } from '../support/child-program.ts';
import { type Credentials, logInAll, withLiveGateway } from '../support/live-gateway.ts';
import { recipient, sampleText, type Texts } from '../support/texts.ts';

/** CPU time of one text when many sessions send at once, against as many clients of GramJS, and of mtcute, in one process. */
const sessions = 50;
const textsPerSession = 40;
const runs = 7;
/** V8 compiles on threads of the measured process. It has compiled all of them after this many runs. */
const warmUps = 8;

/** Milliseconds of one text. */
type Costs = Record<'gateway' | 'gramjs' | 'mtcute', number>;

const costs = await withLiveGateway(async (live) => {
  const { gateway, sandbox } = live;
  const senders = await logInAll(live, await addAccounts(sandbox, sessions));
  return withBareClients('gramjs', sandbox, (gramjs) =>
    withBareClients('mtcute', sandbox, async (mtcute) => {
      for (const library of [gramjs, mtcute]) await logInBareCrowd(library, sandbox, sessions);
      const measured: Costs[] = [];
      for (let run = 0; run < warmUps + runs; run++) {
        const cost: Costs = {
          gateway: await cpuOfText(gateway, () => sendThroughGateway(gateway, senders)),
          gramjs: await cpuOfText(gramjs, () => sendBare(gramjs)),
          mtcute: await cpuOfText(mtcute, () => sendBare(mtcute)),
        };
        if (run >= warmUps) measured.push(cost);
      }
      return measured;
    }),
  );
});

report([
  {
    line: `CPU of one text, ${sessions} sessions sending at once ÷ ${sessions} bare GramJS clients in one process`,
    value: median(costs.map(({ gateway, gramjs }) => gateway / gramjs)),
    unit: '×',
    bar: { atMost: 1.25 },
    detail: `${inMicroseconds('gateway')} ÷ ${inMicroseconds('gramjs')} µs (client.sendMessage, same speed-ups)`,
  },
  {
    line: `CPU of one text, ${sessions} sessions sending at once ÷ ${sessions} bare mtcute clients in one process`,
    value: median(costs.map(({ gateway, mtcute }) => gateway / mtcute)),
    unit: '×',
    bar: { atMost: 1.25 },
    detail: `${inMicroseconds('gateway')} ÷ ${inMicroseconds('mtcute')} µs (client.sendText, no HTTP)`,
  },
]);

function inMicroseconds(of: keyof Costs): string {
  return (median(costs.map((run) => run[of])) * 1000).toFixed(0);
}

/** Milliseconds of the program's process. */
async function cpuOfText(program: ChildProgram, send: () => Promise<void>): Promise<number> {
  return (await cpuMsDuring(program, send)) / (sessions * textsPerSession);
}

/** Each session on an HTTP connection of its own, one text at a time. */
async function sendThroughGateway(gateway: ChildProgram, senders: readonly Credentials[]): Promise<void> {
  const unassigned = [...senders];
  const result = await autocannon({
    url: `${gateway.url}/message`,
    method: 'POST',
    body: JSON.stringify({ username: recipient, type: 'text', text: sampleText }),
    connections: sessions,
    amount: sessions * textsPerSession,
    setupClient: (client) => {
      client.setHeaders({ ...unassigned.pop(), 'content-type': 'application/json' });
    },
  });
  if (result['2xx'] !== sessions * textsPerSession) throw new Error(`only ${result['2xx']} texts were sent`);
}

function sendBare(program: ChildProgram): Promise<void> {
  const texts: Texts = { username: recipient, text: sampleText, count: textsPerSession, inFlight: 1, way: 'client' };
  return program.command('send', texts);
}
