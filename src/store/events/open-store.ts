import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventReader, EventStore } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { parseStoreUrl } from '../../config/store-url.ts';
import type { KurrentStore } from './kurrent/kurrent-store.ts';
import { openSqliteReader, openSqliteStore } from './sqlite/sqlite-store.ts';

export interface OpenStoreOptions {
  clock: Clock;
  randomness: Randomness;
  log?: Log;
}

/** An embedded store is never away. */
export type OpenedStore = EventStore & Partial<Pick<KurrentStore, 'outage'>>;

/** Opens the store that a URL names; only the adapter that is wanted is loaded. @throws {StoreUrlError} */
export async function openStore(url: string, options: OpenStoreOptions): Promise<OpenedStore> {
  const place = parseStoreUrl(url);
  if (place.kind === 'sqlite') return openSqliteStore({ file: place.file, clock: options.clock });
  return openKurrentDb(place.url, options);
}

/** The same to be read alone: beside a gateway, too, that is writing it. */
export async function openStoreForReading(url: string, options: OpenStoreOptions): Promise<EventReader> {
  const place = parseStoreUrl(url);
  if (place.kind === 'sqlite') return openSqliteReader(place.file);
  return openKurrentDb(place.url, options);
}

/** Its client brings native code along: nobody loads it who has no use for it. */
async function openKurrentDb(url: string, options: OpenStoreOptions): Promise<KurrentStore> {
  const { openKurrentStore } = await import('./kurrent/kurrent-store.ts');
  return openKurrentStore({ url, ...options });
}
