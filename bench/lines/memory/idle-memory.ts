import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../../measurement.ts';
import { ann, cara } from '../../support/accounts.ts';
import { logInBareMany, withBareClients } from '../../support/bare-clients.ts';
import type { ChildProgram } from '../../support/child-program.ts';
import { logInMany, withLiveGateway } from '../../support/live-gateway.ts';
import type { Usage } from '../../support/probe.ts';

/**
 * Memory of an idle connected session, against an idle client of bare mtcute that receives updates too. Ours includes the
 * account's picture.
 */
const sessionCount = 300;
/** Compiled code, pools, caches and the heap's spare room exist, and are in use, before the first session counts. */
const warmUpSessions = 100;
/** Long enough for every connection to have been pinged (each 15 s) and every picture to have arrived. */
const settleMs = 20_000;

/** Of one program: with the warm-up sessions, and with all. */
interface Growth {
  before: Usage;
  after: Usage;
}

const { gateway, mtcute } = await withLiveGateway(async (live) => ({
  gateway: await growthOf(live.gateway, (count) => logInMany(live, ann, count)),
  mtcute: await withBareClients('mtcute', live.sandbox, (program) =>
    growthOf(program, (count) => logInBareMany(program, live.sandbox, cara, count)),
  ),
}));

const ratio = perSessionKb(gateway, 'rssBytes') / perSessionKb(mtcute, 'rssBytes');
report([
  {
    line: `memory of a connected idle session, ${sessionCount} of them (RSS without the nursery, the heap compacted)`,
    value: perSessionKb(gateway, 'rssBytes'),
    unit: 'KB',
    bar: { atMost: 85 },
    detail: howOf(gateway),
  },
  {
    line: 'memory of a connected idle session ÷ an idle client of bare mtcute',
    value: ratio,
    unit: '×',
    bar: { atMost: 0.5 },
    detail: `mtcute: ${howOf(mtcute)}`,
  },
]);

async function growthOf(program: ChildProgram, logInSome: (count: number) => Promise<unknown>): Promise<Growth> {
  await logInSome(warmUpSessions);
  await sleep(settleMs);
  const before = await program.usage('held');
  await logInSome(sessionCount);
  await sleep(settleMs);
  return { before, after: await program.usage('held') };
}

function perSessionKb({ before, after }: Growth, of: 'rssBytes' | 'heapBytes' | 'externalBytes'): number {
  return (after[of] - before[of]) / sessionCount / 1024;
}

function howOf(growth: Growth): string {
  const inMb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);
  return (
    `RSS ${inMb(growth.before.rssBytes)} MB with ${warmUpSessions} sessions, ` +
    `${inMb(growth.after.rssBytes)} MB with ${sessionCount} more; ` +
    `a session's heap ${perSessionKb(growth, 'heapBytes').toFixed(0)}, ` +
    `external ${perSessionKb(growth, 'externalBytes').toFixed(0)} KB`
  );
}
