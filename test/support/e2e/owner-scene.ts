import type { Answer, TestGatewayOptions } from '../gateway/gateway.ts';
import { type ConnectedScene, useConnectedScene } from './connected-scene.ts';

/** Ann's session, connected, and the owner of the service, who calls any method of Telegram. */
export interface Owner extends ConnectedScene {
  /** `POST /telegram/{method}`. */
  readonly call: <T = Record<string, unknown>>(method: string, params?: object) => Promise<Answer<T>>;
  /** The control API of the sandbox. */
  readonly control: <T>(method: string, url: string, body?: object) => Promise<T>;
}

/** Opens a scene for the tests of a file, whose gateway has no API key: who reaches it is its owner. */
export function useOwner(options: Partial<TestGatewayOptions> = {}): Owner {
  const on = useConnectedScene(options);
  return {
    get scene() {
      return on.scene;
    },
    get caller() {
      return on.caller;
    },
    call: (method, params) => {
      const headers = { id: on.caller.id };
      return on.scene.gateway.http.request('POST', `/telegram/${method}`, { headers, body: { params } });
    },
    control: (method, url, body) => on.scene.sandbox.call(method, url, body),
  };
}
