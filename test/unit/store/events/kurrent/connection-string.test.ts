import { expect, it } from 'vitest';
import { StoreUrlError } from '../../../../../src/config/store-url.ts';
import { connectionString } from '../../../../../src/store/events/kurrent/connection-string.ts';

const defaults = 'discoveryInterval=20&nodePreference=leader';

it.each([
  ['kurrentdb://host:2113', `kurrentdb://host:2113?${defaults}`],
  ['kurrentdb://host:2113?', `kurrentdb://host:2113?${defaults}`],
  ['kdb+discover://a,b', `kdb+discover://a,b?${defaults}`],
  ['kurrent://host?tls=false', `kurrent://host?tls=false&${defaults}`],
  [
    'kurrentdb://host?tls=false&NodePreference=random',
    'kurrentdb://host?tls=false&NodePreference=random&discoveryInterval=20',
  ],
  ['kurrentdb://host?nodePreferences=x', `kurrentdb://host?nodePreferences=x&${defaults}`],
])('[OP1.1] %s gets what its operator has not set', (url, full) => {
  expect(connectionString(url)).toBe(full);
});

it.each(['http://user:secret@host', 'kurrentdb://user:secret@host?throwOnAppendFailure=FALSE'])(
  '[OP1.1] %s is refused, and not repeated',
  (url) => {
    expect(() => connectionString(url)).toThrow(StoreUrlError);
    expect(() => connectionString(url)).not.toThrow(/secret/);
  },
);
