import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../../measurement.ts';
import { ann, bob, cara } from '../../support/accounts.ts';
import { type CountingEndpoint, startCountingEndpoint } from '../../support/counting-endpoint.ts';
import { jsonCall } from '../../support/json-call.ts';
import { type LiveGateway, logIn, logInMany, setWebhook, withLiveGateway } from '../../support/live-gateway.ts';

/** From a message written in the sandbox until its event is at the webhook; one session alone, and beside idle sessions. */
const messages = 200;
const warmUp = 50;
/** Faster than a person writes. */
const betweenMs = 10;
const idleSessions = 300;

const endpoint = await startCountingEndpoint();
const [alone, beside] = await withLiveGateway(
  async (live) => {
    const headers = await logIn(live, ann);
    await setWebhook(live, headers, endpoint.url);
    await sleep(500);
    const first = await measure(live, endpoint);
    // Of another account: it receives no updates meanwhile.
    await logInMany(live, cara, idleSessions);
    return [first, await measure(live, endpoint)];
  },
  { ALLOW_PRIVATE_URLS: 'true' },
);
endpoint.close();

report([
  {
    line: 'Telegram update → webhook, one session, p50',
    value: median(alone),
    unit: 'ms',
    bar: { atMost: 15 },
    detail: `from the call that writes the message; ${messages} messages, p95 ${percentile(alone, 0.95)} ms`,
  },
  {
    line: `Telegram update → webhook, ${idleSessions} idle sessions beside it, p50`,
    value: median(beside),
    unit: 'ms',
    bar: { atMost: 15 },
    detail: `p95 ${percentile(beside, 0.95)} ms`,
  },
]);

async function measure({ sandbox }: LiveGateway, to: CountingEndpoint): Promise<number[]> {
  const tookMs: number[] = [];
  for (let count = 0; count < warmUp + messages; count++) {
    const arrived = to.next(1);
    const begun = performance.now();
    const body = { peer: ann, text: `The train leaves at ${count}` };
    const written = jsonCall('POST', `${sandbox.url}/accounts/${bob}/messages`, { body });
    const ms = (await arrived) - begun;
    if (count >= warmUp) tookMs.push(ms);
    await written;
    await sleep(betweenMs);
  }
  return tookMs;
}

function percentile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * part)] ?? NaN).toFixed(1);
}
