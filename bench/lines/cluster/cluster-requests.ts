import { median, report } from '../../measurement.ts';
import { addAccounts } from '../../support/accounts.ts';
import type { ChildProgram } from '../../support/child-program.ts';
import { cpuMsOfAll, withLiveCluster } from '../../support/kurrent/live-cluster.ts';
import { type Credentials, logIn } from '../../support/live-gateway.ts';
import { pollSession, sendTexts } from '../../support/load.ts';

/**
 * Two gateways on one KurrentDB server, against one that is alone on its own. Each gateway is as busy as the others: it has one
 * session, with as many texts in flight.
 */
const textsPerRun = 1500;
const inFlight = 16;
const connections = 32;
const secondsPerRun = 1;
const runs = 7;
/** V8 compiles on threads of the measured processes, and again when it knows more. */
const warmUps = 6;

/** A session, and the gateway that its requests go to. */
interface Way {
  to: ChildProgram;
  headers: Credentials;
}

const measured = await withLiveCluster(2, async ({ nodes, alone, sandbox }) => {
  const [one, two] = nodes;
  if (one === undefined || two === undefined) throw new Error('there are no two nodes');
  const [ann = '', ben = '', cara = ''] = await addAccounts(sandbox, 3);
  // The node that creates a session owns it.
  const ofOne = await logIn({ gateway: one, sandbox }, ann);
  const ofTwo = await logIn({ gateway: two, sandbox }, ben);
  const ofAlone = await logIn({ gateway: alone, sandbox }, cara);
  /** Microseconds of a text: of both nodes, by the node that it is sent to, and of the one that is alone. */
  const texts = {
    owner: () =>
      cpuOfText(nodes, [
        { to: one, headers: ofOne },
        { to: two, headers: ofTwo },
      ]),
    other: () =>
      cpuOfText(nodes, [
        { to: two, headers: ofOne },
        { to: one, headers: ofTwo },
      ]),
    alone: () => cpuOfText([alone], [{ to: alone, headers: ofAlone }]),
  };
  /** Responses to `GET /session` in a second: of the session's owner, of the other node, and of the one that is alone. */
  const reads = {
    owner: () => rate({ to: one, headers: ofOne }),
    other: () => rate({ to: two, headers: ofOne }),
    alone: () => rate({ to: alone, headers: ofAlone }),
  };
  const found: { texts: Record<Of, number>; reads: Record<Of, number> }[] = [];
  for (let run = 0; run < warmUps + runs; run++) {
    const cost = { texts: await inTurn(texts, run), reads: await inTurn(reads, run) };
    if (run >= warmUps) found.push(cost);
  }
  return found;
});

const micros = (of: Of): string => median(measured.map(({ texts }) => texts[of])).toFixed(0);
const perSecond = (of: Of): string => `${Math.round(median(measured.map(({ reads }) => reads[of])))}/s`;
report([
  {
    line: 'CPU of one POST /message text that comes to the wrong one of two nodes ÷ to the right one',
    value: median(measured.map(({ texts }) => texts.other / texts.owner)),
    unit: '×',
    bar: { atMost: 1.7 },
    detail: `${micros('other')} ÷ ${micros('owner')} µs, of both nodes together; 16 in flight on each one's session`,
  },
  {
    line: 'CPU of one POST /message text with two nodes ÷ with one gateway',
    value: median(measured.map(({ texts }) => texts.owner / texts.alone)),
    unit: '×',
    bar: { atMost: 1.15 },
    detail: `${micros('owner')} µs of both nodes ÷ ${micros('alone')} µs; each has a session, 16 in flight; all on KurrentDB`,
  },
  {
    line: 'GET /session through the slower of two nodes ÷ through one gateway',
    value: Math.min(
      ...(['owner', 'other'] as const).map((node) => median(measured.map(({ reads }) => reads[node] / reads.alone))),
    ),
    unit: '×',
    bar: { atLeast: 0.8 },
    detail: `its owner ${perSecond('owner')}, the other ${perSecond('other')}; one gateway ${perSecond('alone')}`,
  },
]);

type Of = 'owner' | 'other' | 'alone';

/** One after the other, another one first in each run: what comes behind another may be slower or faster for that. */
async function inTurn(works: Record<Of, () => Promise<number>>, run: number): Promise<Record<Of, number>> {
  const names: Of[] = ['owner', 'other', 'alone'];
  const found: Record<Of, number> = { owner: NaN, other: NaN, alone: NaN };
  for (let place = 0; place < names.length; place++) {
    const name = names[(run + place) % names.length] as Of;
    found[name] = await works[name]();
  }
  return found;
}

/** Microseconds of these programs together. */
async function cpuOfText(programs: readonly ChildProgram[], ways: readonly Way[]): Promise<number> {
  const share = { count: textsPerRun, inFlight };
  const send = (): Promise<unknown> => Promise.all(ways.map(({ to, headers }) => sendTexts(to, headers, share)));
  return ((await cpuMsOfAll(programs, send)) * 1000) / (textsPerRun * ways.length);
}

async function rate({ to, headers }: Way): Promise<number> {
  const { responses, seconds } = await pollSession(to, headers, { connections, seconds: secondsPerRun });
  return responses / seconds;
}
