// A process that keeps chunks on the disk until it is killed, and says when it has begun. Argument: the folder.
import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/config/clock.ts';
import { DiskCache } from '../../../src/media/links/disk-cache.ts';

const [folder = ''] = process.argv.slice(2);
const cache = await DiskCache.open({
  folder,
  maxBytes: 64 * 1024 * 1024,
  clock: systemClock,
  log: { warn: (fields) => writeSync(2, `${JSON.stringify(fields)}\n`) },
});

/** Each chunk is full of one byte: a mixed one was never written. */
async function keep(group: string): Promise<never> {
  for (let index = 0; ; index++) {
    await cache.write(group, `chunk_${index % 100}`, Buffer.alloc(512 * 1024, index % 256));
    if (index === 3) writeSync(1, 'begun\n');
  }
}

await Promise.all(['s1', 's2', 's3'].map((group) => keep(group)));
