import type { EventDecoder } from '../../../actors/ports/event-codec.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import { sessionIdOf, sessionPrefix } from '../../../actors/session/events.ts';
import { createProjectionRunner } from '../../../projections/projection-runner.ts';
import { auditEntry } from '../../../src/audit/audit-entry.ts';
import { readAudit } from '../../../src/audit/read-audit.ts';
import { sessionObject } from '../../../src/http/session/session-object.ts';
import { IdempotentSends } from '../../../src/messaging/idempotent-sends.ts';
import { sendCodec } from '../../../src/messaging/send-codec.ts';
import { replayStore } from '../../../src/store/tools/replay-store.ts';
import { openVault, type Vault } from '../../../src/store/vault/vault.ts';
import { vaultCodec } from '../../../src/store/vault/vault-codec.ts';
import { readLogin } from '../../../src/telegram/login/login-state.ts';
import { deliveryCodec } from '../../../src/webhook/stream/delivery-codec.ts';
import { listParked } from '../../../src/webhook/stream/list-parked.ts';
import { outboxCodec } from '../../../src/webhook/stream/outbox-codec.ts';
import { readDeliveries } from '../../../src/webhook/stream/read-deliveries.ts';
import { loadProgress } from '../../../src/webhook/stream/stored-progress.ts';
import { createDrivenClock, createSeededRandomness } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { createMemoryViewDatabase } from '../store/memory-view-database.ts';
import { operatorsHistory } from './operators-history.ts';
import { operatorCodecs } from './shapes.ts';

/** What wraps the keys of the sessions in the histories. */
export const masterKeys = [Buffer.alloc(32, 1)];
/** Of every kind of stream but `session-`. */
const decoders: readonly EventDecoder[] = [deliveryCodec, outboxCodec, sendCodec, vaultCodec, ...operatorCodecs];

/** Everything that today's code makes of a store, in the clear, as JSON. @throws an event cannot be read */
export async function readHistory(store: EventStore): Promise<Json> {
  const clock = createDrivenClock();
  const deps = { store, reportUnreadable: allReadable };
  const vault = openVault({ ...deps, masterKeys, randomness: createSeededRandomness(1, clock), clock });
  const views = createProjectionRunner({
    ...deps,
    database: createMemoryViewDatabase(),
    clock,
    onError: (error) => {
      throw error;
    },
  });
  await views.start();
  const sessions: Record<string, unknown> = {};
  for await (const { stream } of store.lastOfEach(sessionPrefix)) {
    const id = sessionIdOf(stream);
    const view = views.get(id);
    if (view === undefined) throw new Error(`${id} has no view`);
    const { state, since, reason, created, deadline, webhookSince, revision } = view;
    sessions[id] = {
      view: { state, since, reason, created, deadline, webhookSince, revision },
      shown: {
        ...(await sessionObject({ view, picture: views.picture(id) }, vault)),
        qrcode: view.qrLink === undefined ? '' : 'a QR code',
      },
      log: await logOf(deps, vault, id),
      login: (await vault.loadLogin(id, readLogin)) ?? null,
      ...(await deliveriesOf(deps, vault, id)),
      sends: await sendsOf(store, vault, id),
    };
  }
  await views.stop();
  const replayed = await replayStore({
    store,
    decoders,
    onDrift: ({ stream, revision, problem }) => {
      throw new Error(`${stream} ${revision}: ${problem}`);
    },
    onUnreadable: allReadable,
  });
  return asJson({ sessions, replayed, ...(await operatorsHistory(store)) });
}

type Deps = { store: EventStore; reportUnreadable: typeof allReadable };

async function logOf(deps: Deps, vault: Vault, id: string): Promise<unknown[]> {
  const entries = [];
  for await (const event of readAudit(deps, id, 0)) {
    entries.push(await auditEntry(event, (sealed) => vault.open(id, sealed)));
  }
  return entries;
}

async function deliveriesOf(deps: Deps, vault: Vault, id: string): Promise<object> {
  const deliveries = [];
  for await (const { id: eventId, type, data, metadata, revision } of readDeliveries(deps, id, {})) {
    const content = 'content' in data ? await vault.open(id, data.content) : undefined;
    const opened = content === undefined ? data : JSON.parse(content);
    deliveries.push({ id: eventId, type, revision, metadata, content: opened });
  }
  const progress = await loadProgress(deps, id, 1);
  return { deliveries, progress, parked: await listParked(deps, id, progress, 0, 100) };
}

/** What a repeated request would be answered, or whether it would be sent again. */
async function sendsOf(store: EventStore, vault: Vault, id: string): Promise<object> {
  const clock = createDrivenClock();
  let newest = 0;
  for await (const { created } of store.read(`send-${id}`, { direction: 'backwards', limit: 1 })) newest = created;
  if (newest === 0) return {};
  const sends = new IdempotentSends({
    store: {
      ...store,
      read: (stream, options) => store.read(stream, options),
      append: () => Promise.reject(new Error('is not written')),
      truncate: () => Promise.resolve(),
    },
    clock: { ...clock, now: () => newest },
    randomness: createSeededRandomness(3, clock),
    fingerprint: (sessionId, text) => vault.fingerprint(sessionId, text),
    log: { warn: () => {} },
    reportUnreadable: allReadable,
  });
  const answers: Record<string, unknown> = {};
  for (const number of [1, 2]) {
    answers[`key ${number}`] = await sends
      .once({ sessionId: id }, `key ${number}`, `body ${number}`, async (_begin, begun) => {
        throw new Error(`would be sent again as ${begun?.randomId}`);
      })
      .catch((error: Error) => error.message);
  }
  return answers;
}

const asJson = (value: unknown): Json =>
  JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      inner instanceof Map ? [...inner].map(([key, entry]) => [key, String(entry)]) : inner,
    ),
  );
