import { report } from '../measurement.ts';
import { logInMany, withLiveGateway } from '../support/live-gateway.ts';

/** What a login costs the gateway's process, from `POST /session` over the QR scan to connected, QR codes drawn. */
const warmUpLogins = 20;
const logins = 50;

const cpuMs = await withLiveGateway(async (live) => {
  await logInMany(live, warmUpLogins);
  const before = await live.gateway.usage('cpu');
  await logInMany(live, logins);
  const after = await live.gateway.usage('cpu');
  return (after.cpuMs - before.cpuMs) / logins;
});

report([
  {
    line: 'CPU of a login (connect to connected)',
    value: cpuMs,
    unit: 'ms',
    bar: { atMost: 45 },
    detail: `${logins} logins by QR, ten at a time, over HTTP: creation, QR code, polling and picture are in it`,
  },
]);
