import { expect, it } from 'vitest';
import { damages, poisonedStores } from '../../support/e2e/poisoned-store.ts';
import { ann, openScene } from '../../support/e2e/scene.ts';
import { metricSamples } from '../../support/metrics/metric-samples.ts';

const cara = '1003';
const damage = damages['of another program'];

it.each(Object.entries(poisonedStores))(
  '[FA7.2] a vault that another program writes to holds its session at a reset, and keeps nothing from deletion: %s',
  async (_store, open) => {
    const store = await open();
    const scene = await openScene({ environment: store.environment });
    try {
      const [reset, deleted] = [await scene.connected(ann), await scene.connected(cara)];
      for (const { id } of [reset, deleted]) {
        await store.plant(scene.gateway.dataDir, `vault-${id}`, damage.eventIn('vault'));
      }
      expect((await scene.request(reset, 'POST', '/session/reset', {})).status).toBe(200);
      expect((await scene.request(deleted, 'DELETE', '/session')).status).toBe(200);
      for (const isRestarted of [false, true]) {
        if (isRestarted) await scene.restart();
        await scene.gateway.started;
        await scene.pass(10_000);
        expect(await scene.request(reset, 'GET', '/session')).toMatchObject({ status: 500 });
        expect((await scene.gateway.http.request('GET', `/sessions/${reset.id}`)).body).toMatchObject({ held: true });
        expect((await scene.request(deleted, 'GET', '/session')).status).toBe(404);
        const metrics = await (await fetch(`${scene.gateway.url}/metrics`)).text();
        // A start finds one of them: the other one is erased.
        const found = metricSamples(metrics).get('gateway_unreadable_events_total{stream="vault"}');
        expect(found).toBe(isRestarted ? 1 : 2);
      }
    } finally {
      await scene.close();
      await store.remove();
    }
  },
);
