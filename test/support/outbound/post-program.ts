import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/config/clock.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';

/** A process of its own that posts to one URL so many times, all names being this machine's, and says how that went. */
const [, , url = '', count = ''] = process.argv;
const outbound = createOutbound({
  clock: systemClock,
  allowPrivate: true,
  resolve: () => Promise.resolve(['127.0.0.1']),
});
const outcomes: string[] = [];
while (outcomes.length < Number(count)) {
  const options = { sessionId: 'one', body: '{}'.repeat(20_000), headers: {}, timeoutMs: 10_000 };
  const outcome = outbound.post(url, options).then(
    ({ status }) => String(status),
    (error: Error) => error.message,
  );
  outcomes.push(await outcome);
}
writeSync(1, JSON.stringify(outcomes));
await outbound.close();
