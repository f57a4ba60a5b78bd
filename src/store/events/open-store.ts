import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventReader } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { parseStoreUrl } from '../../config/store-url.ts';
import type { OnDamaged } from '../database.ts';
import type { KurrentStore } from './kurrent/kurrent-store.ts';
import type { OpenedStore } from './opened-store.ts';
import { openSqliteReader, openSqliteStore } from './sqlite/sqlite-store.ts';
import { withReaderPrefix, withStreamPrefix } from './stream-prefix.ts';

export interface OpenStoreOptions {
  clock: Clock;
  randomness: Randomness;
  log?: Log;
  /** Called once if the file of an embedded store turns out to be damaged while it is open. */
  onDamaged?: OnDamaged;
  /** Prefix of every stream name in the store; callers see the names without it. Default: none. */
  streamPrefix?: string;
}

/** Opens the store of a URL, and loads only its adapter. @throws {StoreUrlError} @throws {DamagedDatabaseError} */
export async function openStore(url: string, options: OpenStoreOptions): Promise<OpenedStore> {
  const { clock, log, onDamaged } = options;
  const place = parseStoreUrl(url);
  const store: OpenedStore =
    place.kind === 'sqlite'
      ? openSqliteStore({ file: place.file, clock, log, onDamaged })
      : await openKurrentDb(place.url, options);
  return withStreamPrefix(store, options.streamPrefix ?? '');
}

/** Opens the store read-only; a gateway may be writing it. */
export async function openStoreForReading(url: string, options: OpenStoreOptions): Promise<EventReader> {
  const place = parseStoreUrl(url);
  const store = place.kind === 'sqlite' ? openSqliteReader(place.file) : await openKurrentDb(place.url, options);
  return withReaderPrefix(store, options.streamPrefix ?? '');
}

/** Loaded on demand: the client contains native code. */
async function openKurrentDb(url: string, options: OpenStoreOptions): Promise<KurrentStore> {
  const { openKurrentStore } = await import('./kurrent/kurrent-store.ts');
  return openKurrentStore({ url, ...options });
}
