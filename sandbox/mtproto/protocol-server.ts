import { type AddressInfo, createServer, type Server } from 'node:net';
import { createRsaKey } from '../crypto/rsa-key.ts';
import type { ProtocolServer, RpcService, StoredKey, TlObject } from '../rpc.ts';
import { schemaOfLayer } from '../tl/layers.ts';
import type { Schema } from '../tl/schema.ts';
import { createAuthKeyRegistry, randomLong } from './auth-key-registry.ts';
import { Connection } from './connection.ts';
import { createMessageIds } from './message-id.ts';
import { NetworkFaults } from './network-faults.ts';
import { permanentKeyOf, type Session, sessionsOf } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';
import { createUpdateFaults } from './update-faults.ts';

const HOST = '127.0.0.1';

export interface ProtocolServerOptions {
  service: RpcService;
  /** Port 0: any free port. DC 0: the header of an obfuscated connection names the data centre. */
  dcs: readonly { id: number; port: number }[];
  /** PEM; a new key if left out. */
  rsaKey?: string | undefined;
  /** The keys of an earlier run. */
  keys?: Iterable<StoredKey> | undefined;
  clock?: { now(): number } | undefined;
}

export interface RunningProtocolServer extends ProtocolServer {
  listen(): Promise<void>;
  close(): Promise<void>;
  /** PKCS #1, as clients want it. */
  readonly publicKeyPem: string;
  /** PKCS #8, for storing. */
  readonly rsaKeyPem: string;
  readonly fingerprint: bigint;
  /** The port of each data centre; empty before `listen`. */
  readonly ports: ReadonlyMap<number, number>;
  storedKeys(): StoredKey[];
}

/** The data centres of one Telegram, each on a loopback port of its own. */
export function createProtocolServer({
  service,
  dcs,
  rsaKey,
  keys: stored,
  clock = { now: Date.now },
}: ProtocolServerOptions): RunningProtocolServer {
  const rsa = createRsaKey(rsaKey);
  const connections = new Set<Connection>();
  const listeners: Server[] = [];
  const ports = new Map<number, number>();
  const faults = new NetworkFaults();
  const updateFaults = createUpdateFaults();
  const keys = createAuthKeyRegistry(service, () => clock.now(), stored);
  const context: ServerContext = {
    service,
    keys,
    faults,
    rsa,
    nextMessageId: createMessageIds(() => clock.now()),
    now: () => clock.now(),
    counts: { accepted: 0, handshakes: 0, calls: 0 },
  };

  function forgetKey(keyId: string): void {
    const key = keys.find(keyId);
    if (!key) return;
    cut([keyId]);
    keys.forget(key);
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
      updateFaults.apply(key, () => {
        for (const session of sessionsOf(key)) {
          if (!session.takesUpdates || session.id === exceptSession) continue;
          const body = bodyFor(key.layer);
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

  function wakeAll(): void {
    for (const session of sessions()) session.outgoing.wake();
  }

  async function listenTo(dc: number, port: number): Promise<void> {
    const listener = createServer((socket) => {
      if (faults.refuses(undefined)) {
        socket.on('error', () => {});
        socket.resetAndDestroy();
        return;
      }
      context.counts.accepted++;
      connections.add(new Connection(socket, dc, context, (connection) => connections.delete(connection)));
    });
    listeners.push(listener);
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, HOST, resolve);
    });
    ports.set(dc, (listener.address() as AddressInfo).port);
  }

  return {
    publicKeyPem: rsa.publicPem,
    rsaKeyPem: rsa.privatePem,
    fingerprint: rsa.fingerprint,
    ports,
    async listen() {
      await Promise.all(dcs.map(({ id, port }) => listenTo(id, port)));
    },
    async close() {
      const closed = listeners.map((listener) => new Promise((resolve) => listener.close(resolve)));
      cut();
      await Promise.all(closed);
    },
    storedKeys: () => keys.stored(),
    push,
    forgetKey,
    cut,
    refuse: (filter) => faults.refuse(filter),
    blackhole: (filter) => faults.blackhole(filter),
    accept() {
      faults.accept();
      wakeAll();
    },
    slowPong: (ms, filter) => faults.slowPong(ms, filter),
    batchAnswers: (ms, filter) => faults.batchAnswers(ms, filter),
    badSalt(filter) {
      for (const key of keys.all()) {
        if (filter && !filter(permanentKeyOf(key))) continue;
        key.salt = randomLong();
        keys.changed(key);
      }
    },
    loseUpdates: (count, filter) => updateFaults.set('lose', count, filter),
    duplicateUpdates: (count, filter) => updateFaults.set('duplicate', count, filter),
    reorderUpdates: (count, filter) => updateFaults.set('reorder', count, filter),
    clearFaults() {
      faults.clear();
      updateFaults.clear();
      wakeAll();
    },
    stats: () => ({
      connections: connections.size,
      ...context.counts,
      keys: keys.size,
      sessions: [...sessions()].length,
    }),
  };
}
