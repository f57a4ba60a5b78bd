import { resolve } from 'node:path';

/** The place of events, as `EVENT_STORE_URL` and the commands name it. */
export type StorePlace = { kind: 'sqlite'; file: string } | { kind: 'kurrentdb'; url: string };

export const storeUrlForms = 'sqlite:path, kurrentdb://host:2113 or kurrentdb+discover://host:2113';

/** The text has no known form. The error does not repeat it, because it may hold a password. */
export class StoreUrlError extends Error {
  override name = 'StoreUrlError';
}

/** @throws {StoreUrlError} */
export function parseStoreUrl(url: string): StorePlace {
  if (/^sqlite:./.test(url)) return { kind: 'sqlite', file: resolve(url.replace(/^sqlite:/, '')) };
  if (/^(?:kurrentdb|kurrent|kdb)(?:\+discover)?:\/\/./.test(url)) return { kind: 'kurrentdb', url };
  throw new StoreUrlError(`an event store is named by ${storeUrlForms}`);
}

/** The name of a store for people: without credentials and options, which may hold some. */
export function nameOfStore(url: string): string {
  const place = parseStoreUrl(url);
  if (place.kind === 'sqlite') return `sqlite:${place.file}`;
  const [address = ''] = place.url.split(/[?#]/);
  return address.replace(/\/\/.*@/, '//').replace(/\/+$/, '');
}
