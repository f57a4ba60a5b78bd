import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../measurement.ts';
import { ann, type LiveGateway, logIn, withLiveGateway } from '../support/live-gateway.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** From the moment a message is written in the sandbox until its event is at the receiver; alone, and beside idle sessions. */
const messages = 200;
const warmUp = 50;
/** People do not write faster. */
const betweenMs = 10;
const idleSessions = 300;
const loginsAtOnce = 10;
const bob = '1002';
const cara = '1003';

const receiver = await startReceiver();
const [alone, beside] = await withLiveGateway(
  async (live) => {
    const headers = await logIn(live, ann);
    const body = JSON.stringify({ url: receiver.url, token: 'token' });
    const set = await fetch(`${live.gateway.url}/session/webhook`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    if (!set.ok) throw new Error(await set.text());
    await sleep(500);
    const first = await measure(live, receiver);
    await logInIdle(live);
    return [first, await measure(live, receiver)];
  },
  { ALLOW_PRIVATE_URLS: 'true' },
);
receiver.close();

report([
  {
    line: 'Telegram update → receiver, one session, p50',
    value: median(alone),
    unit: 'ms',
    bar: { atMost: 15 },
    detail: `from the call that writes the message; ${messages} messages, p95 ${percentile(alone, 0.95)} ms`,
  },
  {
    line: `Telegram update → receiver, ${idleSessions} idle sessions beside it, p50`,
    value: median(beside),
    unit: 'ms',
    bar: { atMost: 15 },
    detail: `p95 ${percentile(beside, 0.95)} ms`,
  },
]);

async function measure({ sandbox }: LiveGateway, to: Receiver): Promise<number[]> {
  const tookMs: number[] = [];
  for (let count = 0; count < warmUp + messages; count++) {
    const arrived = to.next(1);
    const begun = performance.now();
    const written = fetch(`${sandbox.url}/accounts/${bob}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ peer: ann, text: `The train leaves at ${count}` }),
    });
    const ms = (await arrived) - begun;
    if (count >= warmUp) tookMs.push(ms);
    await (await written).arrayBuffer();
    await sleep(betweenMs);
  }
  return tookMs;
}

/** Of another account: nothing happens there. */
async function logInIdle(live: LiveGateway): Promise<void> {
  let begun = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    while (begun < idleSessions) {
      begun += 1;
      await logIn(live, cara);
    }
  };
  await Promise.all(Array.from({ length: loginsAtOnce }, oneAfterTheOther));
}

function percentile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * part)] ?? NaN).toFixed(1);
}
