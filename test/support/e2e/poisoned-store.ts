import { join } from 'node:path';
import type { SessionStreamKind, UnreadableReason } from '../../../actors/ports/event-codec.ts';
import { runCommandLine } from '../gateway/command-line.ts';
import { onKurrentDbAt } from '../gateway/kurrentdb-environment.ts';
import { openKurrentPlace } from '../store/kurrent-place.ts';
import { type PlantedBytes, type PlantedEvent, plantInKurrentDb, plantInSqlite } from '../store/plant-event.ts';

/** The store of a gateway, as another program reaches it. */
export interface PoisonedStore {
  /** The settings of a gateway on it. */
  environment: Record<string, string>;
  /** What the names of the gateway's streams begin with there. */
  streamPrefix: string;
  /** What is said of an event that is not JSON. */
  notJson: UnreadableReason;
  /** Appends at the end of a stream, also while a gateway has the store open. */
  plant: (dataDir: string, stream: string, event: PlantedEvent | PlantedBytes) => Promise<void>;
  /** Runs the command `replay` on it to its end. */
  replay: (dataDir: string) => Promise<{ code: number; output: string }>;
  remove: () => Promise<void>;
}

const fileIn = (dataDir: string): string => join(dataDir, 'events.db');

export const poisonedStores = {
  SQLite: async (): Promise<PoisonedStore> => ({
    environment: {},
    streamPrefix: '',
    notJson: 'broken-json',
    plant: async (dataDir, stream, event) => plantInSqlite(fileIn(dataDir), stream, event),
    replay: (dataDir) => runCommandLine('replay', ['--store', `sqlite:${fileIn(dataDir)}`]),
    remove: async () => {},
  }),
  async KurrentDB(): Promise<PoisonedStore> {
    const place = await openKurrentPlace();
    const { url, streamPrefix } = place;
    return {
      environment: onKurrentDbAt(place),
      streamPrefix,
      notJson: 'not-json',
      plant: (_, stream, event) => plantInKurrentDb(url, streamPrefix + stream, event),
      replay: () => runCommandLine('replay', ['--store', url, '--prefix', streamPrefix]),
      remove: () => place.remove(),
    };
  },
};

/** What the gateway itself records in such a stream. */
const ownTypes: Record<SessionStreamKind, string> = {
  session: 'LoggedIn',
  delivery: 'MessageReceived',
  outbox: 'OutboxMoved',
  send: 'SendBegun',
  vault: 'LoginSaved',
};

/** The ways in which an event is damaged. */
export type DamageName = 'of another program' | 'of a later version' | 'without metadata' | 'with broken JSON';

interface Damage {
  reason: UnreadableReason;
  eventIn: (kind: SessionStreamKind) => PlantedEvent;
}

/** What no log and no command may show. */
export const plantedSecret = 'm4rker';
const data = JSON.stringify({ secret: plantedSecret });
/** As a later version may number a delivery. */
export const laterSeq = 2;
const laterMetadata = JSON.stringify({ version: 1000, seq: laterSeq, since: 8e15 });

export const damages: Record<DamageName, Damage> = {
  'of another program': {
    reason: 'unknown-type',
    eventIn: () => ({ type: 'BasketOpened', data, metadata: '{}' }),
  },
  'of a later version': {
    reason: 'newer-version',
    eventIn: (kind) => ({ type: ownTypes[kind], data, metadata: laterMetadata }),
  },
  'without metadata': {
    reason: 'no-metadata',
    eventIn: (kind) => ({ type: ownTypes[kind], data, metadata: undefined }),
  },
  'with broken JSON': {
    reason: 'broken-json',
    eventIn: (kind) => ({ type: ownTypes[kind], data: data.slice(0, -2), metadata: '{}' }),
  },
};
export const damageNames = Object.keys(damages) as DamageName[];
