import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventReader } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { parseStoreUrl } from '../../config/store-url.ts';
import type { KurrentStore } from './kurrent/kurrent-store.ts';
import type { OpenedStore } from './opened-store.ts';
import { openSqliteReader, openSqliteStore } from './sqlite/sqlite-store.ts';
import { withReaderPrefix, withStreamPrefix } from './stream-prefix.ts';

export interface OpenStoreOptions {
  clock: Clock;
  randomness: Randomness;
  log?: Log;
  /** What every stream name in the store begins with; callers see the names without it. Default: nothing. */
  streamPrefix?: string;
}

/** Opens the store that a URL names; only the adapter that is wanted is loaded. @throws {StoreUrlError} */
export async function openStore(url: string, options: OpenStoreOptions): Promise<OpenedStore> {
  const place = parseStoreUrl(url);
  const store: OpenedStore =
    place.kind === 'sqlite'
      ? openSqliteStore({ file: place.file, clock: options.clock })
      : await openKurrentDb(place.url, options);
  return withStreamPrefix(store, options.streamPrefix ?? '');
}

/** The same to be read alone: beside a gateway, too, that is writing it. */
export async function openStoreForReading(url: string, options: OpenStoreOptions): Promise<EventReader> {
  const place = parseStoreUrl(url);
  const store = place.kind === 'sqlite' ? openSqliteReader(place.file) : await openKurrentDb(place.url, options);
  return withReaderPrefix(store, options.streamPrefix ?? '');
}

/** Its client brings native code along: nobody loads it who has no use for it. */
async function openKurrentDb(url: string, options: OpenStoreOptions): Promise<KurrentStore> {
  const { openKurrentStore } = await import('./kurrent/kurrent-store.ts');
  return openKurrentStore({ url, ...options });
}
