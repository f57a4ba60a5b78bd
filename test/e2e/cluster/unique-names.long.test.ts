import { expect, it } from 'vitest';
import { joinTwo, openGatewaysScene } from '../../support/cluster/gateways-scene.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';

/** The same external ID for two sessions at once, of which each gateway has one. */

it('[CL5.10] is given to one of them, whichever node keeps it', async () => {
  const scene = await openGatewaysScene();
  const gateways = await joinTwo(scene);
  const create = async ({ http }: TestGateway): Promise<string> =>
    String((await scene.during(http.request('POST', '/session'))).body['id']);
  const ids: string[] = [];
  for (const gateway of gateways) ids.push(await create(gateway));
  for (const [at, id] of ids.entries()) expect(gateways[at]?.sessions.state(id)).toBeDefined();
  const change = async ({ http }: TestGateway, id: string, externalId: string): Promise<unknown> => {
    const { status, body } = await http.request('PATCH', `/sessions/${id}`, { body: { externalId } });
    return status === 200 ? 200 : body['message'];
  };
  for (let number = 0; number < 6; number += 1) {
    const externalId = `customer-${number}`;
    const changes = ids.map((id, at) => change(gateways[at] as TestGateway, id, externalId));
    const answers = await scene.during(Promise.all(changes));
    const winner = ids[answers.indexOf(200)] ?? 'nobody';
    const refused = `externalId is used by session ${winner}`;
    expect([number, answers]).toEqual([number, ids.map((id) => (id === winner ? 200 : refused))]);
    for (const { views } of gateways)
      expect(views.list({ externalId, limit: 9 }).map(({ id }) => id)).toEqual([winner]);
  }
});

it('[CL5.12] a key has no more sessions than its limit, though both gateways create some at once', async () => {
  const scene = await openGatewaysScene();
  const gateways = await joinTwo(scene);
  const limit = 4;
  const wish = { name: 'desk', scopes: ['sessions:create'], limits: { sessions: limit } };
  const { body } = await scene.during(gateways[0].http.request('POST', '/keys', { body: wish }));
  const headers = { 'x-api-key': String(body['key']) };
  const creations = [...gateways, ...gateways, ...gateways, ...gateways].map(async ({ http }) => {
    const created = await http.request('POST', '/session', { headers });
    return created.status === 200 ? 'created' : String(created.body['message']);
  });
  const answers = await scene.during(Promise.all(creations));
  const refused = `limit of ${limit} sessions reached`;
  expect(answers.toSorted()).toEqual([...Array(limit).fill('created'), ...Array(limit).fill(refused)]);
});
