import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../measurement.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { readAll, withLiveMedia } from '../support/media-link.ts';

/** Memory of the gateway while a big file is viewed: first fetched from Telegram, then from the cache on the disk. */
const bytes = 200 * 1024 * 1024;
const smallBytes = 32 * 1024 * 1024;
const sampleEveryMs = 20;
const megabyte = 1024 * 1024;

const { idle, cold, cached } = await withLiveMedia(async ({ gateway, post, link }) => {
  // Code is loaded and connections are open before it counts.
  for (let view = 0; view < 2; view++) {
    const small = link(await post(smallBytes));
    await readAll(await fetch(small), smallBytes);
    await readAll(await fetch(small), smallBytes);
  }
  const before = await gateway.usage('memory');
  const url = link(await post(bytes));
  return {
    idle: before.rssBytes,
    cold: await peakDuring(gateway, async () => readAll(await fetch(url), bytes)),
    cached: await peakDuring(gateway, async () => readAll(await fetch(url), bytes)),
  };
});

report([
  {
    line: 'Memory above idle while a file of 200 MB is viewed',
    value: (Math.max(cold, cached) - idle) / megabyte,
    unit: 'MB',
    bar: { atMost: 20 },
    detail: `peak RSS: ${inMegabytes(cold)} cold, ${inMegabytes(cached)} cached, ${inMegabytes(idle)} MB idle; sampled every ${sampleEveryMs} ms`,
  },
]);

function inMegabytes(of: number): string {
  return (of / megabyte).toFixed(0);
}

/** Peak of the resident memory while `act` runs, in bytes, garbage included. */
async function peakDuring(program: ChildProgram, act: () => Promise<void>): Promise<number> {
  let peak = 0;
  const done = act().then(() => true);
  for (let isDone = false; !isDone; ) {
    peak = Math.max(peak, (await program.usage('cpu')).rssBytes);
    isDone = await Promise.race([done, sleep(sampleEveryMs, false)]);
  }
  return peak;
}
