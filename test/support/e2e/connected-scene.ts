import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TestGatewayOptions } from '../gateway/gateway.ts';
import { type Caller, openScene, type Scene } from './scene.ts';

/** Ann's session, connected. */
export interface ConnectedScene {
  readonly scene: Scene;
  readonly caller: Caller;
}

/** Opens a scene for the tests of a file; after each of them faults are gone and the session is connected. */
export function useConnectedScene(options: Partial<TestGatewayOptions> = {}): ConnectedScene {
  let scene: Scene;
  let caller: Caller;
  beforeAll(async () => {
    scene = await openScene(options);
    caller = await scene.connected();
  });
  afterAll(() => scene.close());
  afterEach(async () => {
    await scene.sandbox.call('DELETE', '/faults');
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.whilePassing(scene.read(caller, (session) => session.isConnected));
  });
  return {
    get scene() {
      return scene;
    },
    get caller() {
      return caller;
    },
  };
}
