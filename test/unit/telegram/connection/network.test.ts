import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/config/clock.ts';
import { fetchSandboxNetwork, productionNetwork, sandboxNetwork } from '../../../../src/telegram/connection/network.ts';

const answer = { apiId: 1, apiHash: 'h', publicKey: 'PEM', dcs: [{ id: 2, host: '127.0.0.1', port: 4432 }] };

describe('where Telegram is', () => {
  it('knows the five data centres of the real one', () => {
    const { dcs, homeDc, publicKey } = productionNetwork(7, 'hash');
    expect([...new Set(dcs.map(({ id }) => id))]).toEqual([1, 2, 3, 4, 5]);
    expect(dcs.every(({ port }) => port === 443)).toBe(true);
    expect(homeDc).toBe(2);
    expect(publicKey).toBeUndefined();
  });

  it('[SE14.4] knows the test data centres, which are others', () => {
    const hosts = (usesTestDcs: boolean): string[] =>
      productionNetwork(7, 'hash', usesTestDcs).dcs.map(({ id, host }) => `${id} ${host}`);
    expect(hosts(true)).toHaveLength(6);
    expect(hosts(true).filter((host) => hosts(false).includes(host))).toEqual([]);
  });

  it.each([null, {}, { ...answer, dcs: [] }, { ...answer, dcs: [{ id: 2 }] }, { ...answer, apiId: '1' }])(
    'does not take %j for a sandbox',
    (text) => {
      expect(() => sandboxNetwork(text)).toThrow('not that of a sandbox');
    },
  );

  it('asks a sandbox until it answers', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const network = await fetchSandboxNetwork(url, systemClock, AbortSignal.timeout(20_000));
    expect(network).toEqual({ ...answer, dcs: [{ ...answer.dcs[0], onlyThisPort: true }], homeDc: 2 });
    expect(asked).toBe(3);
    await new Promise((resolve) => void server.close(resolve));

    const stop = new AbortController();
    const vain = fetchSandboxNetwork(url, systemClock, stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('enough'));
    expect(await vain).toBe(stop.signal.reason);
  });
});
