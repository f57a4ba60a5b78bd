import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { LightAbort } from '../../actors/kit/light-abort.ts';
import { systemClock } from '../../src/config/clock.ts';
import { createMediaPreparations } from '../../src/media/outgoing/prepare.ts';
import { emptyTemporaryRoot } from '../../src/media/outgoing/temporary-folder.ts';
import { TemporarySpace } from '../../src/media/outgoing/temporary-space.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { median, report } from '../measurement.ts';
import { inTemporaryFolder } from '../support/write-model.ts';

/**
 * A photo of 12 megapixels from its URL to the JPEG that is sent, against sharp alone from file to file. The gateway adds
 * the download, the guard, temporary files and checks.
 */
const width = 4000;
const height = 3000;
const maxSide = 2560;
const quality = 87;
const runs = 15;

const measured = await inTemporaryFolder(async (folder) => {
  const photo = join(folder, 'photo.jpg');
  // Noise like a camera's grain: a smooth picture would be decoded faster than a photo.
  await sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .blur(1.2)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toFile(photo);
  const bytes = readFileSync(photo);
  const server = createServer((_request, response) => response.end(bytes)).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/photo.jpg`;
  const outbound = createOutbound({ clock: systemClock, allowPrivate: true });
  const root = emptyTemporaryRoot(folder);
  const space = new TemporarySpace({ folder: root, maxBytes: 2 ** 31 });
  const preparations = createMediaPreparations({
    outbound,
    uploads: { find: () => undefined, link: () => Promise.reject(new Error('no file was uploaded')) },
    clock: systemClock,
    folder: root,
    space,
    maxBytes: 2 ** 31,
    programs: () => Promise.resolve({ ffmpeg: undefined, ffprobe: undefined }),
    onUnreadable: () => {},
  });
  const media = preparations.of({ sessionId: 'one' });
  const gateway = (): Promise<number> =>
    media.withPrepared({ type: 'image', url }, new LightAbort(), ({ file }) => Promise.resolve(file.size));
  const bare = async (): Promise<number> => {
    const { size } = await sharp(photo)
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality })
      .toFile(join(folder, 'bare.jpg'));
    return size;
  };
  try {
    if ((await gateway()) !== (await bare())) throw new Error('the two pictures differ');
    const times: { gateway: number; bare: number }[] = [];
    for (let run = 0; run < runs; run++) times.push({ gateway: await time(gateway), bare: await time(bare) });
    return { times, megabytes: bytes.length / 1024 ** 2 };
  } finally {
    await outbound.close();
    server.close();
  }
});

const middle = (of: 'gateway' | 'bare'): string => median(measured.times.map((run) => run[of])).toFixed(0);
report([
  {
    line: 'an image of 12 megapixels: from its URL to the JPEG to send ÷ bare sharp, file to file',
    value: median(measured.times.map(({ gateway, bare }) => gateway / bare)),
    unit: '×',
    bar: { atMost: 1.3 },
    detail: `${middle('gateway')} ÷ ${middle('bare')} ms, ${measured.megabytes.toFixed(1)} MB`,
  },
]);

async function time(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
