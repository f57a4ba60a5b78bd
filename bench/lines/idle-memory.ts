import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../measurement.ts';
import { logInMany, withLiveGateway } from '../support/live-gateway.ts';

/** What 300 connected sessions with nothing to do take, beside a hundred that are there already; pictures and all. */
const sessionCount = 300;
/** Compiled code, pools, caches and the heap's own room are there, and in use, before the first session counts. */
const warmUpSessions = 100;
/** Long enough for every connection to have been pinged (each 15 s) and every picture to have come. */
const settleMs = 20_000;

const [few, all] = await withLiveGateway(async (live) => {
  const { gateway } = live;
  await logInMany(live, warmUpSessions);
  await sleep(settleMs);
  const before = await gateway.usage('memory');
  await logInMany(live, sessionCount);
  await sleep(settleMs);
  return [before, await gateway.usage('memory')];
});

const perSessionKb = (of: 'rssBytes' | 'heapBytes' | 'externalBytes'): number =>
  (all[of] - few[of]) / sessionCount / 1024;
report([
  {
    line: 'memory a connected idle session, 300 of them (RSS without the nursery)',
    value: perSessionKb('rssBytes'),
    unit: 'KB',
    bar: { atMost: 100 },
    detail:
      `RSS ${inMb(few.rssBytes)} MB with ${warmUpSessions} sessions, ${inMb(all.rssBytes)} MB with ${sessionCount} more; ` +
      `a session's heap ${perSessionKb('heapBytes').toFixed(0)}, external ${perSessionKb('externalBytes').toFixed(0)} KB`,
  },
]);

function inMb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
