import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOfStore, parseStoreUrl, StoreUrlError } from '../../../src/config/store-url.ts';

describe('store addresses', () => {
  it('reads the forms there are', () => {
    expect(parseStoreUrl('sqlite:data/events.db')).toEqual({ kind: 'sqlite', file: resolve('data/events.db') });
    for (const url of ['kurrentdb://db:2113?tls=false', 'kurrentdb+discover://a:1,b:2', 'kdb://db']) {
      expect(parseStoreUrl(url)).toEqual({ kind: 'kurrentdb', url });
    }
  });

  it.each(['', 'sqlite:', 'kurrentdb:', 'kurrentdb://', 'postgres://m4rker', 'events.db'])('refuses %s', (url) => {
    expect(() => parseStoreUrl(url)).toThrow(StoreUrlError);
    expect(() => parseStoreUrl(url)).not.toThrow('m4rker');
  });

  it.each([
    ['sqlite:/var/lib/events.db', 'sqlite:/var/lib/events.db'],
    ['kurrentdb://admin:m4rker@db:2113?tls=true&userKeyFile=m4rker', 'kurrentdb://db:2113'],
    ['kurrentdb+discover://admin:m4r/k@m4rker@one:2113,two:2113/', 'kurrentdb+discover://one:2113,two:2113'],
    ['kurrentdb://db:2113', 'kurrentdb://db:2113'],
  ])('[OP1.1] names %s without what is secret in it', (url, name) => {
    expect(nameOfStore(url)).toBe(name);
  });
});
