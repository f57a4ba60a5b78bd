import { median, report } from '../../measurement.ts';
import { addAccounts } from '../../support/accounts.ts';
import type { ChildProgram } from '../../support/child-program.ts';
import { cpuMsOfAll, withLiveCluster } from '../../support/kurrent/live-cluster.ts';
import { type Credentials, logIn } from '../../support/live-gateway.ts';
import { pollSession, sendTexts } from '../../support/load.ts';

/** Two gateways on one KurrentDB server, against one that is alone on its own: requests for two sessions, one of each node. */
const textsPerRun = 500;
const inFlight = 16;
const connections = 32;
const secondsPerRun = 1;
const runs = 5;
/** V8 compiles on threads of the measured processes. */
const warmUps = 4;

interface Costs {
  /** Milliseconds of one text: of both nodes, by the node that it is sent to, and of the one that is alone. */
  owner: number;
  other: number;
  alone: number;
  /** Responses to `GET /session` in a second: of the session's owner, of the other node, and of the one that is alone. */
  ownerRate: number;
  otherRate: number;
  aloneRate: number;
}

/** A session, and the gateway that its requests go to. */
interface Way {
  to: ChildProgram;
  headers: Credentials;
}

const measured = await withLiveCluster(2, async ({ nodes, alone, sandbox }) => {
  const [one, two] = nodes;
  if (one === undefined || two === undefined) throw new Error('there are no two nodes');
  const [ann = '', ben = '', cara = '', dan = ''] = await addAccounts(sandbox, 4);
  // The node that creates a session owns it.
  const ofOne = await logIn({ gateway: one, sandbox }, ann);
  const ofTwo = await logIn({ gateway: two, sandbox }, ben);
  const ofAlone = [
    await logIn({ gateway: alone, sandbox }, cara),
    await logIn({ gateway: alone, sandbox }, dan),
  ] as const;
  const costs: Costs[] = [];
  for (let run = 0; run < warmUps + runs; run++) {
    const cost: Costs = {
      owner: await cpuOfText(nodes, [
        { to: one, headers: ofOne },
        { to: two, headers: ofTwo },
      ]),
      alone: await cpuOfText(
        [alone],
        ofAlone.map((headers) => ({ to: alone, headers })),
      ),
      other: await cpuOfText(nodes, [
        { to: two, headers: ofOne },
        { to: one, headers: ofTwo },
      ]),
      ownerRate: await rate({ to: one, headers: ofOne }),
      otherRate: await rate({ to: two, headers: ofOne }),
      aloneRate: await rate({ to: alone, headers: ofAlone[0] }),
    };
    if (run >= warmUps) costs.push(cost);
  }
  return costs;
});

const micros = (of: 'owner' | 'other' | 'alone'): string => (median(measured.map((run) => run[of])) * 1000).toFixed(0);
const perSecond = (of: 'ownerRate' | 'otherRate' | 'aloneRate'): string =>
  `${Math.round(median(measured.map((run) => run[of])))}/s`;
report([
  {
    line: 'CPU of one POST /message text that comes to the wrong one of two nodes ÷ to the right one',
    value: median(measured.map(({ other, owner }) => other / owner)),
    unit: '×',
    bar: { atMost: 1.7 },
    detail: `${micros('other')} ÷ ${micros('owner')} µs, of both nodes together`,
  },
  {
    line: 'CPU of one POST /message text with two nodes ÷ with one gateway',
    value: median(measured.map(({ owner, alone }) => owner / alone)),
    unit: '×',
    bar: { atMost: 1.15 },
    detail: `${micros('owner')} µs of both nodes ÷ ${micros('alone')} µs; sent to the owners of their sessions; all on KurrentDB`,
  },
  {
    line: 'GET /session through the slower of two nodes ÷ through one gateway',
    value: Math.min(
      ...(['ownerRate', 'otherRate'] as const).map((node) => median(measured.map((run) => run[node] / run.aloneRate))),
    ),
    unit: '×',
    bar: { atLeast: 0.8 },
    detail: `its owner ${perSecond('ownerRate')}, the other ${perSecond('otherRate')}; one gateway ${perSecond('aloneRate')}`,
  },
]);

/** Milliseconds of these programs together. */
async function cpuOfText(programs: readonly ChildProgram[], ways: readonly Way[]): Promise<number> {
  const share = { count: textsPerRun / ways.length, inFlight: inFlight / ways.length };
  const send = (): Promise<unknown> => Promise.all(ways.map(({ to, headers }) => sendTexts(to, headers, share)));
  return (await cpuMsOfAll(programs, send)) / textsPerRun;
}

async function rate({ to, headers }: Way): Promise<number> {
  const { responses, seconds } = await pollSession(to, headers, { connections, seconds: secondsPerRun });
  return responses / seconds;
}
