import { join } from 'node:path';
import type { Randomness } from '../../../actors/ports/clock.ts';
import { DiskCache } from '../../../src/media/links/disk-cache.ts';
import { createMediaLinks } from '../../../src/media/links/media-link.ts';
import { createMediaPreparations } from '../../../src/media/outgoing/prepare.ts';
import { TemporarySpace } from '../../../src/media/outgoing/temporary-space.ts';
import { KeptFiles } from '../../../src/media/uploads/kept-files.ts';
import type { Outbound } from '../../../src/outbound/outbound.ts';
import type { DrivenClock } from '../kit/clock.ts';

/** The media of an app: files in a folder of the test's, no ffmpeg. */
export async function openAppMedia(deps: {
  folder: string;
  clock: DrivenClock;
  randomness: Randomness;
  outbound: Outbound;
  logLines: string[];
}) {
  const { folder, clock, randomness, outbound, logLines } = deps;
  const cache = await DiskCache.open({
    folder: join(folder, 'media-cache'),
    maxBytes: 1024 * 1024 * 1024,
    clock,
    log: { warn: (_fields, message) => logLines.push(message) },
  });
  const space = new TemporarySpace({ folder, maxBytes: 1024 ** 3 });
  const uploads = new KeptFiles({ folder: join(folder, 'uploads'), space, clock, randomness });
  const links = createMediaLinks({ keys: [Buffer.alloc(32, 1)], publicUrl: () => 'http://media.test' });
  const preparations = createMediaPreparations({
    outbound,
    clock,
    folder,
    space,
    uploads,
    maxBytes: 1024 * 1024,
    programs: () => Promise.resolve({ ffmpeg: undefined, ffprobe: undefined }),
    onUnreadable: (error) => logLines.push(String(error)),
  });
  return { cache, uploads, links, preparations };
}
