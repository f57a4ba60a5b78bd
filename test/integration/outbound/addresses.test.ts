import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { OutboundError } from '../../../src/outbound/outbound-error.ts';
import { publicAddress } from '../../../src/outbound/public-address.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';
import { type SmallInternet, startSmallInternet } from '../../support/outbound/small-internet.ts';
import { refusedUrls } from '../../support/outbound/spellings.ts';

const refusals =
  /^(?:its address is not public|it is not a valid url|http or https is expected|its name could not be resolved)$/;

describe('addresses', () => {
  let decoy: WebServer;
  let internet: SmallInternet;
  let outbound: Outbound;
  let folder: TemporaryFolder;

  beforeAll(async () => {
    decoy = await startWebServer((_request, response) => response.end('secret'));
    internet = startSmallInternet({}, [decoy.port]);
    // Whatever isn't an address is a name that leads home, as an attacker's would.
    outbound = createOutbound({
      clock: createDrivenClock(),
      allowPrivate: false,
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    folder = await createTemporaryFolder();
  });

  afterAll(async () => {
    internet.end();
    await outbound.close();
    await decoy.close();
    await folder.remove();
  });

  it('[SR1.1] no spelling of an address that is not public is connected to, by either way out', async () => {
    const urls = refusedUrls(decoy.port);
    expect(new Set(urls).size).toBeGreaterThan(400);
    const letThrough: string[] = [];
    for (const url of urls) {
      const outcomes = await Promise.allSettled([
        outbound.download(url, join(folder.path, 'file'), { sessionId: 'one', maxBytes: 1000 }),
        outbound.post(url, { sessionId: 'one', body: '{}', headers: {}, timeoutMs: 10_000 }),
      ]);
      const isRefused = outcomes.every(
        (outcome) =>
          outcome.status === 'rejected' &&
          outcome.reason instanceof OutboundError &&
          refusals.test(outcome.reason.message),
      );
      if (!isRefused) letThrough.push(url);
    }
    expect(letThrough).toEqual([]);
    expect(internet.dialled).toEqual([]);
    expect(decoy.connections).toBe(0);
  });

  it('[SR1.4] the decoy is reached where private addresses are allowed: the spellings lead somewhere', async () => {
    const open = createOutbound({ clock: createDrivenClock(), allowPrivate: true });
    const loopback = refusedUrls(decoy.port).slice(0, 31);
    let reached = 0;
    for (const url of loopback) {
      reached += await open.post(url, { sessionId: 'one', body: '{}', headers: {}, timeoutMs: 10_000 }).then(
        () => 1,
        () => 0,
      );
    }
    await open.close();
    internet.dialled.length = 0;
    expect(reached).toBeGreaterThan(20);
  });
});

describe('the watch over sockets', () => {
  it('sees the ports of its own test, and not what another test dials in the process', async () => {
    const [decoy, other] = await Promise.all([1, 2].map(() => startWebServer((_request, response) => response.end())));
    if (decoy === undefined || other === undefined) throw new Error('two servers were started');
    const internet = startSmallInternet({}, [decoy.port]);
    try {
      for (const { port } of [other, decoy]) await fetch(`http://127.0.0.1:${port}/`);
      expect(internet.dialled).toEqual([`127.0.0.1:${decoy.port}`]);
    } finally {
      internet.end();
      await decoy.close();
      await other.close();
    }
  });
});

describe('public addresses', () => {
  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['93.184.216.34', '93.184.216.34'],
    ['2606:2800:220:1:248:1893:25c8:1946', '2606:2800:220:1:248:1893:25c8:1946'],
    ['2a00:1450:4001:80b::200e', '2a00:1450:4001:80b::200e'],
    // Connected to as what it is.
    ['::ffff:8.8.8.8', '8.8.8.8'],
    // A network without IPv4 reaches everything so.
    ['64:ff9b::808:808', '64:ff9b::808:808'],
  ])('[SR1.1] %s is public', (address, expected) => {
    expect(publicAddress(address)).toBe(expected);
  });

  it.each(['', 'x', '127.0.0.1', '::1', 'fe80::1%eth0', '2606:4700::1%eth0', '64:ff9b::7f00:1', '::ffff:10.0.0.1'])(
    '[SR1.1] "%s" is not',
    (address) => {
      expect(publicAddress(address)).toBeUndefined();
    },
  );
});
