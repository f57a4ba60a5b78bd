import type { Socket } from 'node:net';
import { createRsaKey } from '../crypto/rsa-key.ts';
import { ConnectionLimit } from '../net/connection-limit.ts';
import { DcListeners, type DcPort } from '../net/dc-listeners.ts';
import type { MtproxySecret } from '../net/mtproxy-secret.ts';
import { ProxyListeners } from '../net/proxy-listeners.ts';
import type { KeyFilter, ProtocolServer, RpcService, StoredKey, TlObject } from '../rpc.ts';
import { schemaOfLayer } from '../tl/layers.ts';
import type { Schema } from '../tl/schema.ts';
import { Connection } from './connection.ts';
import { createAuthKeyRegistry } from './keys/auth-key-registry.ts';
import { KeyUses } from './keys/key-uses.ts';
import { replaceSalts } from './keys/server-salts.ts';
import { createMessageIds } from './message-id.ts';
import { NetworkFaults } from './network-faults.ts';
import { permanentKeyOf, type ServerAuthKey, type Session, sessionsOf } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';
import { unreadablePush } from './unreadable-push.ts';
import { createUpdateFaults } from './update-faults.ts';

export interface ProtocolServerOptions {
  service: RpcService;
  /** Port 0: any free port. DC 0: the header of an obfuscated connection names the data centre. */
  dcs: readonly { id: number; port: number }[];
  /** PEM; a new key if left out. */
  rsaKey?: string | undefined;
  /** The keys of an earlier run. */
  keys?: Iterable<StoredKey> | undefined;
  clock?: { now(): number } | undefined;
  /** The world's time, by which salts age; the same as `clock` if left out. */
  worldClock?: { now(): number } | undefined;
}

export interface RunningProtocolServer extends ProtocolServer {
  listen(): Promise<void>;
  close(): Promise<void>;
  /** PKCS #1, as clients want it. */
  readonly publicKeyPem: string;
  /** PKCS #8, for storing. */
  readonly rsaKeyPem: string;
  readonly fingerprint: bigint;
  /** The latest port of each data centre; empty before `listen`. */
  readonly ports: ReadonlyMap<number, number>;
  /** All of their ports, the oldest first. */
  readonly addresses: readonly DcPort[];
  /** Opens one more port for a data centre. @returns the port */
  openPort(dc: number): Promise<number>;
  /** Closes a port and resets its connections. */
  closePort(port: number): Promise<void>;
  /** Opens a port of an MTProxy with this secret. @returns the port */
  openProxy(secret: MtproxySecret): Promise<number>;
  /** Closes a proxy and resets its connections. @returns false if no proxy listens on the port */
  closeProxy(port: number): Promise<boolean>;
  /** Connections over this number a second, of the time that `now` tells, get -429; undefined: no limit. */
  limitConnections(perSecond: number | undefined, now?: () => number): void;
  storedKeys(): StoredKey[];
}

/** The data centres of one Telegram, each on a loopback port of its own. */
export function createProtocolServer({
  service,
  dcs,
  rsaKey,
  keys: stored,
  clock = { now: Date.now },
  worldClock = clock,
}: ProtocolServerOptions): RunningProtocolServer {
  const rsa = createRsaKey(rsaKey);
  const connections = new Set<Connection>();
  const faults = new NetworkFaults();
  const updateFaults = createUpdateFaults();
  const keys = createAuthKeyRegistry(
    service,
    () => clock.now(),
    stored,
    () => worldClock.now(),
  );
  const context: ServerContext = {
    service,
    keys,
    faults,
    keyUses: new KeyUses(),
    rsa,
    nextMessageId: createMessageIds(() => clock.now()),
    hasDc: (dc) => dcs.some(({ id }) => id === dc || id === 0),
    now: () => clock.now(),
    worldNow: () => worldClock.now(),
    counts: { accepted: 0, handshakes: 0, calls: 0 },
  };

  function forgetKey(keyId: string): void {
    const key = keys.find(keyId);
    if (!key) return;
    cut([keyId]);
    keys.forget(key);
  }

  function forgetTemporaryKeys(keyId: string, except: ReadonlySet<string>): void {
    for (const key of keys.find(keyId)?.temporaryKeys ?? []) if (!except.has(key.id)) keys.forget(key);
  }

  function cut(keyIds?: Iterable<string>): void {
    const ids = keyIds && new Set(keyIds);
    for (const connection of connections) {
      if (!ids || (connection.key && ids.has(permanentKeyOf(connection.key).id))) connection.cut();
    }
  }

  function* sessions(): Generator<Session> {
    for (const key of keys.all()) yield* key.sessions.values();
  }

  function push(keyIds: Iterable<string>, updates: TlObject, exceptSession?: bigint): void {
    const encoded = new Map<Schema, Buffer | undefined>();
    const bodyFor = (layer: number): Buffer | undefined => {
      const schema = schemaOfLayer(layer);
      if (!encoded.has(schema)) encoded.set(schema, encode(schema, updates));
      return encoded.get(schema);
    };
    for (const keyId of new Set(keyIds)) {
      const key = keys.find(keyId);
      if (!key) continue;
      updateFaults.apply(key, (shape) => {
        for (const session of sessionsOf(key)) {
          if (!session.takesUpdates || session.id === exceptSession) continue;
          const body = shape ? unreadablePush(schemaOfLayer(key.layer), shape) : bodyFor(key.layer);
          if (body) session.outgoing.push(body);
        }
      });
    }
  }

  /** Undefined if the layer cannot express the update: its clients get the change from `getDifference` instead. */
  function encode(schema: Schema, updates: TlObject): Buffer | undefined {
    try {
      return schema.write(updates);
    } catch (error) {
      service.onDefect?.('push', error);
      return undefined;
    }
  }

  /** The keys that a filter of permanent keys matches: temporary ones that are bound to those too. */
  function* matching(filter: KeyFilter | undefined): Generator<ServerAuthKey> {
    for (const key of keys.all()) if (!filter || filter(permanentKeyOf(key))) yield key;
  }

  function wakeAll(): void {
    for (const session of sessions()) session.outgoing.wake();
  }

  const limit = new ConnectionLimit();
  const accept = (socket: Socket, dc: number, proxy?: MtproxySecret): void => {
    if (faults.refuses(undefined, socket.remoteAddress ?? '')) {
      socket.on('error', () => {});
      socket.resetAndDestroy();
      return;
    }
    context.counts.accepted++;
    const isTooMany = limit.isExceeded();
    connections.add(new Connection(socket, { dc, isTooMany, proxy }, context, (closed) => connections.delete(closed)));
  };
  const listeners = new DcListeners(accept);
  const proxies = new ProxyListeners((socket, secret) => accept(socket, 0, secret));

  return {
    publicKeyPem: rsa.publicPem,
    rsaKeyPem: rsa.privatePem,
    fingerprint: rsa.fingerprint,
    get ports() {
      return new Map(listeners.ports.map(({ dc, port }) => [dc, port]));
    },
    get addresses() {
      return listeners.ports;
    },
    async listen() {
      for (const { id, port } of dcs) await listeners.open(id, port);
    },
    async close() {
      await Promise.all(listeners.ports.map(({ port }) => listeners.close(port)));
      await Promise.all(proxies.ports.map((port) => proxies.close(port)));
    },
    openPort: (dc) => listeners.open(dc),
    async closePort(port) {
      await listeners.close(port);
    },
    openProxy: (secret) => proxies.open(secret),
    closeProxy: (port) => proxies.close(port),
    limitConnections: (perSecond, now) => limit.set(perSecond, now),
    storedKeys: () => keys.stored(),
    push,
    forgetKey,
    forgetTemporaryKeys,
    retireKey(keyId) {
      const key = keys.find(keyId);
      if (key) keys.retire(key);
    },
    cut,
    refuse: (filter) => faults.refuse(filter),
    blackhole: (filter) => faults.blackhole(filter),
    cutOff(address, how) {
      faults.cutOffAddress(address, how);
      if (how === 'blackhole') return;
      for (const connection of connections) if (connection.address === address) connection.cut();
    },
    accept(address) {
      if (address === undefined) faults.accept();
      else faults.acceptAddress(address);
      wakeAll();
    },
    slowPong: (ms, filter) => faults.slowPong(ms, filter),
    batchAnswers: (ms, filter) => faults.batchAnswers(ms, filter),
    badSalt(filter) {
      for (const key of matching(filter)) {
        replaceSalts(key, worldClock.now());
        keys.changed(key);
      }
    },
    forgetClient(filter) {
      for (const key of matching(filter)) {
        key.layer = 0;
        key.device = undefined;
        keys.changed(key);
      }
    },
    forgetSessions(filter) {
      for (const key of matching(filter)) {
        for (const session of key.sessions.values()) session.drop();
        key.sessions.clear();
      }
    },
    transportError(code, times, filter) {
      faults.failFirst(code, times - 1, filter);
      for (const connection of connections) {
        const { key } = connection;
        if (key && (!filter || filter(permanentKeyOf(key)))) connection.sendError(code);
      }
    },
    announceAnswers: (count, filter) => faults.announceAnswers(count, filter),
    unknownUpdate: (count, shape, filter) => updateFaults.set(shape, count, filter),
    loseUpdates: (count, filter) => updateFaults.set('lose', count, filter),
    duplicateUpdates: (count, filter) => updateFaults.set('duplicate', count, filter),
    reorderUpdates: (count, filter) => updateFaults.set('reorder', count, filter),
    clearFaults() {
      faults.clear();
      limit.set(undefined);
      updateFaults.clear();
      wakeAll();
    },
    stats: () => ({
      connections: connections.size,
      ...context.counts,
      keys: keys.size,
      sessions: [...sessions()].length,
      unacknowledged: [...sessions()].reduce(
        (sum, { isConnected, outgoing }) => sum + (isConnected ? outgoing.unacknowledgedCount : 0),
        0,
      ),
    }),
  };
}
