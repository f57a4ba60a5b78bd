import autocannon from 'autocannon';
import { median, report } from '../measurement.ts';
import { addAccounts } from '../support/accounts.ts';
import { type ChildProgram, startProgram } from '../support/child-program.ts';
import { type Credentials, logIn, withLiveGateway } from '../support/live-gateway.ts';

/** What a text costs when many sessions send at once, against as many clients of the library alone in one process. */
const text = 'The train leaves at 8:15 from platform 4, see you there';
const receiver = 'bob';
const sessions = 50;
const textsOfEach = 40;
const runs = 7;

const costs = await withLiveGateway(async (live) => {
  const { gateway, sandbox } = live;
  const senders: Credentials[] = [];
  for (const user of await addAccounts(sandbox, sessions)) senders.push(await logIn(live, user));
  // Accounts of their own: what one side sends must not reach the other as an update.
  const users = (await addAccounts(sandbox, sessions)).join(',');
  const bare = await startProgram('bench/programs/bare-crowd', { BARE_SANDBOX: sandbox.url, BARE_USERS: users });
  try {
    const measured: { gateway: number; bare: number }[] = [];
    // The first run warms up.
    for (let run = 0; run <= runs; run++) {
      const both = {
        gateway: await cpuOfEach(gateway, () => sendThroughGateway(gateway, senders)),
        bare: await cpuOfEach(bare, () => sendBare(bare)),
      };
      if (run > 0) measured.push(both);
    }
    return measured;
  } finally {
    await bare.end();
  }
});

const inMicroseconds = (of: 'gateway' | 'bare'): string => (median(costs.map((run) => run[of])) * 1000).toFixed(0);

report([
  {
    line: `CPU of one text, ${sessions} sessions sending at once ÷ ${sessions} bare GramJS clients in one process`,
    value: median(costs.map(({ gateway, bare }) => gateway / bare)),
    unit: '×',
    bar: { atMost: 1.5 },
    detail: `${inMicroseconds('gateway')} ÷ ${inMicroseconds('bare')} µs (client.sendMessage, same speed-ups)`,
  },
]);

/** Milliseconds of the program's process for one text. */
async function cpuOfEach(program: ChildProgram, send: () => Promise<void>): Promise<number> {
  const before = await program.usage('cpu');
  await send();
  const after = await program.usage('cpu');
  return (after.cpuMs - before.cpuMs) / (sessions * textsOfEach);
}

/** Each session on a connection of its own, as its owner's program would. */
async function sendThroughGateway(gateway: ChildProgram, senders: readonly Credentials[]): Promise<void> {
  const waiting = [...senders];
  const result = await autocannon({
    url: `${gateway.url}/message`,
    method: 'POST',
    body: JSON.stringify({ username: receiver, type: 'text', text }),
    connections: sessions,
    amount: sessions * textsOfEach,
    setupClient: (client) => {
      client.setHeaders({ ...waiting.pop(), 'content-type': 'application/json' });
    },
  });
  if (result['2xx'] !== sessions * textsOfEach) throw new Error(`only ${result['2xx']} texts were sent`);
}

async function sendBare(bare: ChildProgram): Promise<void> {
  const query = new URLSearchParams({ to: receiver, count: String(textsOfEach) });
  const response = await fetch(`${bare.url}/?${query.toString()}`, { method: 'POST' });
  if (!response.ok) throw new Error('the bare clients did not send');
}
