import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { readLogin } from '../../../src/telegram/login/login-state.ts';
import { startLocalSandbox } from '../sandbox/sandbox.ts';
import { openScene, type Scene } from './scene.ts';
import { Api, endStock, stockLogin } from './stock.ts';

/** What a test of a defect is given: a scene of its own, and stock clients that end with it. */
export interface DefectScene {
  readonly sandbox: Sandbox;
  readonly scene: Scene;
  /** Another scene in place of the first: on a sandbox of its own, or the shared one. */
  reopen(...how: Parameters<typeof openScene>): Promise<void>;
  /** Run after the test, the last one first. */
  readonly ends: (() => unknown)[];
  /** GramJS as it comes, logged in. */
  stock(userId: string): ReturnType<typeof stockLogin>;
  /** Somebody writes from their phone. */
  write(from: string, peer: string, text: string): Promise<unknown>;
  /** The login key that is stored for a session. */
  keyOf(sessionId: string): Buffer;
}

/**
 * For the defects of GramJS by their numbers: each shown on the package as it comes, then its absence in ours.
 * Everything is real but the time of the gateway.
 */
export function useDefectScene(): DefectScene {
  let sandbox: Sandbox;
  let scene: Scene;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    sandbox = await startLocalSandbox();
  });
  beforeEach(async () => {
    scene = await openScene({}, sandbox);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await scene.close();
  });
  afterAll(() => sandbox.close());
  return {
    get sandbox() {
      return sandbox;
    },
    get scene() {
      return scene;
    },
    ends,
    async reopen(...how) {
      await scene.close();
      scene = await openScene(...how);
    },
    async stock(userId) {
      const client = await stockLogin(scene, userId);
      ends.push(() => endStock(client));
      return client;
    },
    write: (from, peer, text) => scene.control('POST', `/accounts/${from}/messages`, { peer, text }),
    keyOf: (sessionId) => readLogin(scene.logins.get(sessionId) ?? '')?.keys.get(2) ?? Buffer.alloc(0),
  };
}

export const self = (): Api.users.GetUsers => new Api.users.GetUsers({ id: [new Api.InputUserSelf()] });

/** The texts of the new messages among some updates. */
export const texts = (updates: unknown[]): string[] =>
  updates.flatMap((update) => {
    if (update instanceof Api.UpdateShortMessage) return [update.message];
    return update instanceof Api.UpdateNewMessage && update.message instanceof Api.Message
      ? [update.message.message]
      : [];
  });
