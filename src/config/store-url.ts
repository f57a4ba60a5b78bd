import { resolve } from 'node:path';
import { clusterStreams, operatorStreams, streamKinds, usageStreams } from '../../actors/ports/event-codec.ts';

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

/** Short enough for KurrentDB's names, and never one of the server's own streams, which begin with `$`. */
const prefixPattern = /^(?:[A-Za-z\d][\w.-]{0,39}[_.-])?$/;

/** What is wrong with a prefix of stream names; undefined if nothing is. */
export function streamPrefixFault(prefix: string): string | undefined {
  if (!prefixPattern.test(prefix)) {
    return 'must be letters, digits, _ . or -, begin with a letter or digit, end with _ . or -, and have 41 characters at most';
  }
  // A gateway without a prefix would take such streams for its own.
  const kind = [...streamKinds, ...operatorStreams, ...usageStreams, ...clusterStreams].find((name) =>
    prefix.startsWith(`${name}-`),
  );
  return kind && `must not begin with ${kind}-`;
}

/** The name of a store for people: without credentials and options, which may hold some. */
export function nameOfStore(url: string): string {
  const place = parseStoreUrl(url);
  if (place.kind === 'sqlite') return `sqlite:${place.file}`;
  const [address = ''] = place.url.split(/[?#]/);
  return address.replace(/\/\/.*@/, '//').replace(/\/+$/, '');
}
