import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../measurement.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { readAll, withLiveMedia } from '../support/media-link.ts';

/** What a big file takes of the gateway's memory while it is viewed: first from Telegram, then from the disk. */
const bytes = 200 * 1024 * 1024;
const smallBytes = 32 * 1024 * 1024;
const lookEveryMs = 20;
const megabyte = 1024 * 1024;

const { idle, cold, cached } = await withLiveMedia(async ({ gateway, post, link }) => {
  // Code is loaded and connections are there before it counts.
  for (let view = 0; view < 2; view++) {
    const small = link(await post(smallBytes));
    await readAll(await fetch(small), smallBytes);
    await readAll(await fetch(small), smallBytes);
  }
  const before = await gateway.usage('memory');
  const url = link(await post(bytes));
  return {
    idle: before.rssBytes,
    cold: await mostDuring(gateway, async () => readAll(await fetch(url), bytes)),
    cached: await mostDuring(gateway, async () => readAll(await fetch(url), bytes)),
  };
});

report([
  {
    line: 'Memory above idle while a file of 200 MB is viewed',
    value: (Math.max(cold, cached) - idle) / megabyte,
    unit: 'MB',
    bar: { atMost: 20 },
    detail: `resident at its most: ${inMegabytes(cold)} cold, ${inMegabytes(cached)} cached, ${inMegabytes(idle)} MB idle`,
  },
]);

function inMegabytes(of: number): string {
  return (of / megabyte).toFixed(0);
}

/** The most memory that is resident while something is done, garbage included. */
async function mostDuring(program: ChildProgram, act: () => Promise<void>): Promise<number> {
  let most = 0;
  const done = act().then(() => true);
  for (let isDone = false; !isDone; ) {
    most = Math.max(most, (await program.usage('cpu')).rssBytes);
    isDone = await Promise.race([done, sleep(lookEveryMs, false)]);
  }
  return most;
}
