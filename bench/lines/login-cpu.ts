import { median, report } from '../measurement.ts';
import { ann, cara } from '../support/accounts.ts';
import { logInBareMany, withBareClients } from '../support/bare-clients.ts';
import { cpuMsDuring } from '../support/child-program.ts';
import { logInMany, withLiveGateway } from '../support/live-gateway.ts';

/**
 * CPU time of a login, against mtcute's own QR login. Ours is everything from `POST /session` over the QR scan to
 * connected, with the pictures of QR code and account; mtcute's has no HTTP, and no picture.
 */
const loginsPerRun = 20;
const runs = 5;
/** V8 compiles on threads of the measured process. It has compiled most of a login after this many runs. */
const warmUps = 2;

/** Milliseconds of one login. */
type Costs = Record<'gateway' | 'mtcute', number>;

const costs = await withLiveGateway((live) =>
  withBareClients('mtcute', live.sandbox, async (mtcute) => {
    const measured: Costs[] = [];
    for (let run = 0; run < warmUps + runs; run++) {
      const cost: Costs = {
        gateway: (await cpuMsDuring(live.gateway, () => logInMany(live, ann, loginsPerRun))) / loginsPerRun,
        mtcute:
          (await cpuMsDuring(mtcute, () => logInBareMany(mtcute, live.sandbox, cara, loginsPerRun))) / loginsPerRun,
      };
      if (run >= warmUps) measured.push(cost);
    }
    return measured;
  }),
);

const gatewayMs = median(costs.map(({ gateway }) => gateway));
report([
  {
    line: 'CPU of a login (connect to connected)',
    value: gatewayMs,
    unit: 'ms',
    bar: { atMost: 35 },
    detail: `${runs * loginsPerRun} logins by QR, ten at a time, over HTTP: creation, QR code, polling and picture are in it`,
  },
  {
    line: 'CPU of a login ÷ CPU of a login with bare mtcute',
    value: median(costs.map(({ gateway, mtcute }) => gateway / mtcute)),
    unit: '×',
    bar: { atMost: 0.8 },
    detail: `${gatewayMs.toFixed(1)} ÷ ${median(costs.map(({ mtcute }) => mtcute)).toFixed(1)} ms (client.signInQr, no HTTP)`,
  },
]);
