import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/config/clock.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';

/**
 * A process of its own that downloads one URL, all names being this machine's, and says how that went and by how much
 * its memory grew at the most.
 */
const [, , url = '', target = ''] = process.argv;
const outbound = createOutbound({
  clock: systemClock,
  allowPrivate: true,
  resolve: () => Promise.resolve(['127.0.0.1']),
});
const before = process.memoryUsage.rss();
const outcome = await outbound.download(url, target, { sessionId: 'one', maxBytes: 2 ** 31 }).then(
  ({ size }) => String(size),
  (error: Error) => error.message,
);
const grownBytes = process.resourceUsage().maxRSS * 1024 - before;
writeSync(1, JSON.stringify({ outcome, grownBytes }));
await outbound.close();
