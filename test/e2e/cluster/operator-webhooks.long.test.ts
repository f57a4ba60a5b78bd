import { expect, it, onTestFinished } from 'vitest';
import { partitionOf } from '../../../src/cluster/partitions.ts';
import type { Nodes } from '../../../src/http/nodes/schemas.ts';
import { joinTwo, openGatewaysScene } from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startWebServer } from '../../support/kit/web-server.ts';

/** Operators' webhooks, of which each gateway delivers to some, in the list of either. */

interface Listed {
  id: string;
  lastDelivered: string;
  lastError: string;
  pending: number;
}

async function openEndpoint(status: number): Promise<string> {
  const server = await startWebServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status).end());
  });
  onTestFinished(() => server.close());
  return server.url;
}

/** Time stands still meanwhile. */
const listAt = async ({ http }: TestGateway): Promise<Map<string, Listed>> => {
  const { body } = await http.request('GET', '/webhooks');
  return new Map((body['docs'] as Listed[]).map((one) => [one.id, one]));
};

it('[CL5.11] show how deliveries go, whichever gateway makes them', async () => {
  const scene = await openGatewaysScene();
  const [a, b] = await joinTwo(scene, { ALLOW_PRIVATE_URLS: 'true' });
  /** Any gateway adds it; the partition of its ID says who delivers. */
  const add = async ({ http }: TestGateway, url: string): Promise<string> => {
    for (;;) {
      const body = { url, token: 'secret', events: ['session.connected'] };
      const id = String((await scene.during(http.request('POST', '/webhooks', { body }))).body['id']);
      const { docs } = (await http.request('GET', '/nodes')).body as unknown as Nodes;
      if (docs.find(({ self }) => self)?.partitions.includes(partitionOf(id)) === true) return id;
      await scene.during(http.request('DELETE', `/webhooks/${id}`));
    }
  };
  const [good, bad] = [await openEndpoint(200), await openEndpoint(503)];
  const ofA = [await add(a, good), await add(a, bad)];
  const ofB = [await add(b, good), await add(b, bad)];
  await scene.connected(a);
  const isTold = async (): Promise<boolean> => {
    const all = await listAt(a);
    return [ofA, ofB].every(
      ([first = '', second = '']) => all.get(first)?.lastDelivered !== '' && all.get(second)?.lastError !== '',
    );
  };
  await scene.until(isTold);
  const [atA, atB] = [await listAt(a), await listAt(b)];
  const toldOf = (all: Map<string, Listed>): object[] =>
    Array.from(all.values(), ({ id, lastDelivered, lastError }) => ({ id, lastDelivered, lastError }));
  expect(toldOf(atA)).toEqual(toldOf(atB));
  expect(atA.get(ofB[1] ?? '')).toMatchObject({
    lastError: 'it answered with status 503',
    pending: 1,
    lastDelivered: '',
  });

  await b.crash();
  const gone = await listAt(a);
  expect(gone.get(ofB[0] ?? '')?.lastError).toBe('its node does not answer: nothing is known');
  expect(gone.get(ofA[0] ?? '')).toEqual(atA.get(ofA[0] ?? ''));
  await scene.until(async () => (await listAt(a)).get(ofB[1] ?? '')?.lastError === 'it answered with status 503');
});
