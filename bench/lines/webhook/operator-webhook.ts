import { setTimeout as sleep } from 'node:timers/promises';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { report } from '../../measurement.ts';
import { cpuMsDuring } from '../../support/child-program.ts';
import { startCountingEndpoint } from '../../support/counting-endpoint.ts';
import { jsonCall } from '../../support/json-call.ts';
import { withLiveGateway } from '../../support/live-gateway.ts';
import { repeat } from '../../support/repeat.ts';

/**
 * One operators' webhook of many sessions, beside the same sessions without it. They wait for a scan: each has another QR code,
 * and so an event, every 30 s. That is some 60,000 events in an hour.
 */
const sessionCount = 500;
const createdAtOnce = 10;
const settleMs = 5_000;
/** Twice as long as a QR code lasts, and short enough for none of the sessions to end meanwhile. */
const windowMs = 60_000;

const endpoint = await startCountingEndpoint();
const { calmMs, toldMs } = await withLiveGateway(
  async ({ gateway }) => {
    await repeat(sessionCount, createdAtOnce, () => jsonCall('POST', `${gateway.url}/session`));
    await sleep(settleMs);
    const calm = await cpuMsDuring(gateway, () => sleep(windowMs));
    await jsonCall('POST', `${gateway.url}/webhooks`, { body: { url: endpoint.url } });
    return { calmMs: calm, toldMs: await cpuMsDuring(gateway, () => sleep(windowMs)) };
  },
  { ALLOW_PRIVATE_URLS: 'true' },
);
endpoint.close();

const delaysMs = endpoint.bodies.map((body, index) => {
  const { created } = JSON.parse(body) as Payload;
  return (endpoint.receivedAt[index] ?? Number.NaN) - Date.parse(created);
});
const count = delaysMs.length;
report([
  {
    line: `event of one of ${sessionCount} sessions → operators' webhook, worst delay`,
    value: Math.max(...delaysMs),
    unit: 'ms',
    bar: { atMost: 500 },
    detail: `from the record to the receiver; ${count} events in ${windowMs / 1000} s`,
  },
  {
    line: "CPU of an event for an operators' webhook",
    value: (toldMs - calmMs) / count,
    unit: 'ms',
    bar: { atMost: 1.5 },
    detail: `the gateway took ${toldMs.toFixed(0)} ms in ${windowMs / 1000} s with it, ${calmMs.toFixed(0)} ms without`,
  },
]);
