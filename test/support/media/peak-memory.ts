import { writeSync } from 'node:fs';
import { makeJpeg } from '../../../src/media/outgoing/image.ts';

/** A process of its own that makes one picture, and says by how much its memory grew at the most. */
const [, , source = '', target = ''] = process.argv;
const before = process.memoryUsage.rss();
const outcome = await makeJpeg(source, target, 2560).then(
  () => 'made',
  (error: Error) => error.message,
);
const grownBytes = process.resourceUsage().maxRSS * 1024 - before;
writeSync(1, JSON.stringify({ outcome, grownBytes }));
