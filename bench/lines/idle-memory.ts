import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../measurement.ts';
import { logInMany, logOut, withLiveGateway } from '../support/live-gateway.ts';

/** What 300 connected sessions with nothing to do hold, picture and all. */
const sessionCount = 300;
/** Compiled code, pools and caches are there before the first session counts. */
const warmUpSessions = 30;
/** Long enough for every connection to have been pinged (each 15 s) and every picture to have come. */
const settleMs = 20_000;

const [none, all] = await withLiveGateway(async (live) => {
  const { gateway } = live;
  for (const session of await logInMany(live, warmUpSessions)) await logOut(gateway, session);
  await sleep(settleMs);
  const before = await gateway.usage('memory');
  await logInMany(live, sessionCount);
  await sleep(settleMs);
  return [before, await gateway.usage('memory')];
});

const perSessionKb = (of: 'rssBytes' | 'heapBytes' | 'externalBytes'): number =>
  (all[of] - none[of]) / sessionCount / 1024;
report([
  {
    line: 'memory a connected idle session, 300 of them',
    value: perSessionKb('rssBytes'),
    unit: 'KB',
    bar: { atMost: 100 },
    detail:
      `RSS ${inMb(none.rssBytes)} before, ${inMb(all.rssBytes)} MB with them; ` +
      `a session's heap ${perSessionKb('heapBytes').toFixed(0)}, external ${perSessionKb('externalBytes').toFixed(0)} KB`,
  },
]);

function inMb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
