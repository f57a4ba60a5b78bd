import { expect, it } from 'vitest';
import { ListenAddress } from '../../../src/compose/listen-address.ts';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080'],
])('the gateway that listens on %s is %s', (host, url) => {
  const address = new ListenAddress();
  expect(address.url).toBe('');
  address.listens(host, { address: host, family: 'any', port: 8080 });
  expect(address.url).toBe(url);
});
