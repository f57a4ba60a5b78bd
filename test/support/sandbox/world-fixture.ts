import { afterAll } from 'vitest';
import { createRpcService } from '../../../sandbox/api/rpc-service.ts';
import type { AuthKey, ProtocolServer, RpcService, TlObject } from '../../../sandbox/rpc.ts';
import { sandboxApiHash, sandboxApiId } from '../../../sandbox/world/logins/api-credentials.ts';
import { acceptToken } from '../../../sandbox/world/logins/login-tokens.ts';
import { prepareSeed } from '../../../sandbox/world/seed/seed.ts';
import { World, type WorldOptions } from '../../../sandbox/world/world.ts';

interface Pushed {
  keyIds: string[];
  updates: TlObject;
}

/** A world without a network: methods are called directly, and pushes are collected. */
export interface WorldFixture {
  world: World;
  service: RpcService;
  pushed: Pushed[];
  cut: string[];
  clock: { time: number; now(): number };
  key(dc?: number): AuthKey;
  call(key: AuthKey, method: string, params?: Record<string, unknown>): Promise<TlObject>;
  /** A new key, logged in by QR as this user, who must have no password. */
  logIn(userId: number): Promise<AuthKey>;
}

const opened: World[] = [];
/** Made once for each test file: the password's verifier takes 50 ms. */
let seed: ReturnType<typeof prepareSeed> | undefined;
// Vitest ends its processes with a signal: a world that is not closed leaves its files behind.
afterAll(() => {
  for (const world of opened.splice(0)) world.close();
});

export async function openWorldFixture(options: WorldOptions = {}): Promise<WorldFixture> {
  const clock = {
    time: Date.UTC(2026, 5, 1),
    now() {
      return this.time;
    },
  };
  const world = new World({ clock, rateLimits: false, ...options });
  opened.push(world);
  seed ??= prepareSeed();
  world.open(await seed);
  world.startJournal();
  const pushed: Pushed[] = [];
  const cut: string[] = [];
  const protocol = {
    push: (keyIds: Iterable<string>, updates: TlObject) => void pushed.push({ keyIds: [...keyIds], updates }),
    cut: (keyIds: Iterable<string> = []) => void cut.push(...keyIds),
    forgetKey: () => undefined,
    retireKey: () => undefined,
    clearFaults: () => undefined,
  };
  world.protocol = protocol as unknown as ProtocolServer;
  const service = createRpcService({ world, ports: () => [{ dc: 2, port: 4432 }] });
  let keys = 0;
  const fixture: WorldFixture = {
    world,
    service,
    pushed,
    cut,
    clock,
    key(dc = 2) {
      keys += 1;
      const id = keys.toString(16).padStart(16, '0');
      return { id, dc, layer: 198, created: clock.time, device: undefined };
    },
    async call(key, method, params = {}) {
      const query = { _: method, ...params };
      const { layer, dc } = key;
      return (await service.call({ method, params: query, key, dc, layer, sessionId: 1n })) as TlObject;
    },
    async logIn(userId) {
      const user = world.tables.users.get(userId);
      if (!user) throw new Error(`no user ${userId}`);
      const key = fixture.key(user.dc);
      const { token } = await fixture.call(key, 'auth.exportLoginToken', loginParams);
      acceptToken(world, user, token as Buffer);
      await fixture.call(key, 'auth.exportLoginToken', loginParams);
      return key;
    },
  };
  return fixture;
}

export const loginParams = { api_id: sandboxApiId, api_hash: sandboxApiHash, except_ids: [] };
