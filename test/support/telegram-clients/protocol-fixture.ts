import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createProtocolServer, type RunningProtocolServer } from '../../../sandbox/mtproto/protocol-server.ts';
import type { RpcHandler, TlObject } from '../../../sandbox/rpc.ts';
import { schemaOfLayer } from '../../../sandbox/tl/layers.ts';
import { RawConnection } from './raw-connection.ts';
import { type ClientKey, shakeHands } from './raw-handshake.ts';
import { RawSession, type Received } from './raw-session.ts';
import { tinyService } from './tiny-service.ts';

export const getState: TlObject = { _: 'updates.getState' };
export const shortUpdate = (date: number): TlObject => ({ _: 'updateShort', update: { _: 'updateConfig' }, date });
export const isUpdate = ({ object }: Received): boolean => object._ === 'updateShort';
export const datesOf = (messages: Received[]): unknown[] => messages.filter(isUpdate).map(({ object }) => object.date);
export const bodyOf = (query: TlObject): Buffer => schemaOfLayer(198).write(query);

/** A server for a file of tests, and for each test a key, a connection and a session that has made its first call. */
export function useProtocolServer(handlers: Record<string, RpcHandler> = {}) {
  const tiny = tinyService(handlers);
  const opened: RawConnection[] = [];
  let server: RunningProtocolServer;
  let key: ClientKey;
  let connection: RawConnection;
  let session: RawSession;

  async function open(from?: string): Promise<RawConnection> {
    const each = await RawConnection.open(server.ports.get(2) ?? 0, undefined, undefined, from);
    opened.push(each);
    return each;
  }

  /** Somebody else, whom what is done to the first must not disturb. */
  async function stranger({ from, ...options }: { layer?: number; from?: string } = {}): Promise<RawSession> {
    const own = await open(from);
    const other = new RawSession(own, await shakeHands(own, server), options);
    await other.result(other.call(other.withLayer(getState)));
    return other;
  }

  beforeAll(async () => {
    server = createProtocolServer({ service: tiny.service, dcs: [{ id: 2, port: 0 }] });
    await server.listen();
  });
  beforeEach(async () => {
    tiny.failures.length = 0;
    server.clearFaults();
    session = await stranger();
    ({ connection, key } = session);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    await expect.poll(() => server.stats().connections).toBe(0);
  });
  afterAll(() => server.close());

  return {
    tiny,
    open,
    stranger,
    /** Another session of the same key, over a connection of its own. */
    connected: async (options: { id?: bigint } = {}) => new RawSession(await open(), key, options),
    isMine: ({ id }: { id: string }): boolean => id === key.id.toString('hex'),
    get keyId() {
      return key.id.toString('hex');
    },
    get key() {
      return key;
    },
    get server() {
      return server;
    },
    get connection() {
      return connection;
    },
    get session() {
      return session;
    },
  };
}
