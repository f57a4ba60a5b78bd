import autocannon from 'autocannon';
import { median, report } from '../measurement.ts';
import { addAccounts } from '../support/accounts.ts';
import { type ChildProgram, startProgram } from '../support/child-program.ts';
import { ann, type Credentials, logIn, withLiveGateway } from '../support/live-gateway.ts';

/** What a text costs the gateway, against the client library alone that sends the same texts to the same chat. */
const text = 'The train leaves at 8:15 from platform 4, see you there';
const receiver = 'bob';
const inFlight = 16;
const textsPerRun = 2000;
const runs = 7;
/** What V8 compiles meanwhile, on threads of its own, counts as the process's: it is done with both by then. */
const warmUps = 4;

const costs = await withLiveGateway(async (live) => {
  const { gateway, sandbox } = live;
  const headers = await logIn(live, ann);
  // An account of its own: what one side sends must not reach the other as an update.
  const [user = ''] = await addAccounts(sandbox, 1);
  const bare = await startProgram('bench/programs/bare-client', { BARE_SANDBOX: sandbox.url, BARE_USER: user });
  try {
    const measured: Costs[] = [];
    for (let run = 0; run < warmUps + runs; run++) {
      const both = {
        gateway: await cpuOfEach(gateway, () => sendThroughGateway(gateway, headers)),
        client: await cpuOfEach(bare, () => sendBare(bare, 'client')),
        invoke: await cpuOfEach(bare, () => sendBare(bare, 'invoke')),
      };
      if (run >= warmUps) measured.push(both);
    }
    return measured;
  } finally {
    await bare.end();
  }
});

report([
  {
    line: 'CPU of one POST /message text, 16 in flight on one session ÷ CPU of a bare GramJS client',
    value: median(costs.map(({ gateway, client }) => gateway / client)),
    unit: '×',
    bar: { atMost: 1.5 },
    detail:
      `${inMicroseconds('gateway')} ÷ ${inMicroseconds('client')} µs (client.sendMessage, same speed-ups); ` +
      `its invoke() alone takes ${inMicroseconds('invoke')} µs`,
  },
]);

/** Milliseconds for one text: over the gateway, by GramJS's client, by its `invoke()` with a request made by hand. */
type Costs = Record<'gateway' | 'client' | 'invoke', number>;

function inMicroseconds(of: keyof Costs): string {
  return (median(costs.map((run) => run[of])) * 1000).toFixed(0);
}

/** Milliseconds of the program's process. */
async function cpuOfEach(program: ChildProgram, send: () => Promise<void>): Promise<number> {
  const before = await program.usage('cpu');
  await send();
  const after = await program.usage('cpu');
  return (after.cpuMs - before.cpuMs) / textsPerRun;
}

async function sendThroughGateway(gateway: ChildProgram, headers: Credentials): Promise<void> {
  const result = await autocannon({
    url: `${gateway.url}/message`,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: receiver, type: 'text', text }),
    connections: inFlight,
    amount: textsPerRun,
  });
  if (result['2xx'] !== textsPerRun) throw new Error(`only ${result['2xx']} texts were sent`);
}

async function sendBare(bare: ChildProgram, way: 'client' | 'invoke'): Promise<void> {
  const query = new URLSearchParams({ count: String(textsPerRun), inFlight: String(inFlight), to: receiver, way });
  const response = await fetch(`${bare.url}/?${query.toString()}`, { method: 'POST', body: text });
  if (!response.ok) throw new Error('the bare client did not send');
}
