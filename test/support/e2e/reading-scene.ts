import type { ChatRow, Member } from '../../../sandbox/world/state/rows.ts';
import type { Answer } from '../gateway/gateway.ts';
import { type ConnectedScene, useConnectedScene } from './connected-scene.ts';

/** Ann's session, connected, which reads groups and channels. */
export interface Reading extends ConnectedScene {
  readonly get: <T = Record<string, unknown>>(path: string) => Promise<Answer<T>>;
  /** How often the sandbox has been called. */
  readonly calls: (method: string) => Promise<number>;
  /** How often it is called meanwhile. */
  readonly callsDuring: (method: string, work: () => Promise<unknown>) => Promise<number>;
  readonly fault: (of: object) => Promise<unknown>;
  /** Changes a group or channel as its admins would, `channel:3001`; nobody is told. */
  readonly change: (key: string, by: (chat: ChatRow) => Partial<ChatRow>) => void;
}

export function membersBut(userId: string, { members }: ChatRow): Record<string, Member> {
  return Object.fromEntries(Object.entries(members).filter(([id]) => id !== userId));
}

/** Opens a scene for the tests of a file; after each of them faults are gone. */
export function useReading(): Reading {
  const on = useConnectedScene();
  const reading: Reading = {
    get scene() {
      return on.scene;
    },
    get caller() {
      return on.caller;
    },
    get: (path) => on.scene.request(on.caller, 'GET', path),
    calls: async (method) => (await on.scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length,
    async callsDuring(method, work) {
      const before = await reading.calls(method);
      await work();
      return (await reading.calls(method)) - before;
    },
    fault: (of) => on.scene.sandbox.call('POST', '/faults', of),
    change(key, by) {
      const { chats } = on.scene.telegram.world.tables;
      const chat = chats.get(key);
      if (chat === undefined) throw new Error(`no ${key}`);
      chats.put({ ...chat, ...by(chat) });
    },
  };
  return reading;
}
