import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { onKurrentDb, openScene } from '../../support/e2e/scene.ts';

/** The store is asked again a second after it could not write. */
const retryMs = 1_000;

it.skipIf(onKurrentDb)(
  '[AU2.1] a session that is still loading is 500 session not found with Retry-After, then right',
  async () => {
    const scene = await openScene();
    try {
      const connected = await scene.connected();
      await scene.gateway.crash();
      // A backup, say, keeps the store from recording that the service is back: nothing is active before that.
      const other = new Libsql(join(scene.gateway.dataDir, 'events.db'));
      other.exec('BEGIN IMMEDIATE');
      await scene.restart();

      const ready = (): Promise<{ status: number; body: unknown }> =>
        scene.gateway.http.request('GET', '/health/ready');
      const message = { username: 'bob', type: 'text', text: 'Already?' };
      for (const [method, path, body] of [
        ['GET', '/session'],
        ['POST', '/message', message],
        ['POST', '/session/reset', {}],
        ['DELETE', '/session'],
      ] as const) {
        const answer = await scene.request(connected, method, path, body);
        expect(answer).toMatchObject({ status: 500, body: { statusCode: 500, message: 'session not found' } });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(await ready()).toMatchObject({ status: 503 });

      other.exec('ROLLBACK');
      other.close();
      await scene.pass(retryMs);
      await scene.gateway.started;
      await scene.read(connected, (session) => session.isConnected);
      expect(await scene.request(connected, 'POST', '/message', message)).toMatchObject({ status: 200 });
      expect(await ready()).toMatchObject({ status: 200 });
    } finally {
      await scene.close();
    }
  },
);
