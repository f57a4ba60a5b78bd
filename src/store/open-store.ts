import type { Clock } from '../../actors/clock.ts';
import type { EventReader, EventStore } from '../../actors/event-store.ts';
import { parseStoreUrl } from '../store-url.ts';
import { openSqliteReader, openSqliteStore } from './sqlite.ts';

export interface OpenStoreOptions {
  clock: Clock;
}

/** Opens the store that a URL names; only the adapter that is wanted is loaded. @throws {StoreUrlError} */
export async function openStore(url: string, { clock }: OpenStoreOptions): Promise<EventStore> {
  const place = parseStoreUrl(url);
  if (place.kind === 'sqlite') return openSqliteStore({ file: place.file, clock });
  return openKurrentDb(place.url, clock);
}

/** The same to be read alone: beside a gateway, too, that is writing it. */
export async function openStoreForReading(url: string, { clock }: OpenStoreOptions): Promise<EventReader> {
  const place = parseStoreUrl(url);
  if (place.kind === 'sqlite') return openSqliteReader(place.file);
  return openKurrentDb(place.url, clock);
}

interface KurrentAdapter {
  openKurrentStore: (options: { url: string; clock: Clock }) => EventStore | Promise<EventStore>;
}

/** Its client brings native code along: nobody loads it who has no use for it. */
const kurrentAdapter: string = './kurrent.ts';

async function openKurrentDb(url: string, clock: Clock): Promise<EventStore> {
  const { openKurrentStore } = (await import(kurrentAdapter)) as KurrentAdapter;
  return openKurrentStore({ url, clock });
}
