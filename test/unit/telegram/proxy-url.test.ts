import { expect, it } from 'vitest';
import { proxyAddress, readProxyUrl } from '../../../src/telegram/port/proxy-url.ts';

const key = '000102030405060708090a0b0c0d0e0f';
const bytes = Buffer.from(key, 'hex');
const link = (secret: string): string => `tg://proxy?server=proxy.example&port=443&secret=${secret}`;

it.each([
  ['socks5://proxy.example', { kind: 'socks5', host: 'proxy.example', port: 1080 }],
  ['socks5://ann:p%3A%40s@[2001:db8::1]:1081', { kind: 'socks5', host: '2001:db8::1', port: 1081 }],
  ['http://ann:secret@proxy.example', { kind: 'http', host: 'proxy.example', port: 80 }],
  [link(key), { kind: 'mtproto', secret: { kind: 'plain', bytes } }],
  [link(`dd${key}`), { kind: 'mtproto', secret: { kind: 'padded', bytes } }],
  [link(bytes.toString('base64url')), { kind: 'mtproto', secret: { kind: 'plain', bytes } }],
  [
    link(`ee${key}${Buffer.from('example.com').toString('hex')}`),
    { kind: 'mtproto', secret: { kind: 'tls', bytes, domain: 'example.com' } },
  ],
  [link(key).replace('tg://', 'https://t.me/'), { kind: 'mtproto', host: 'proxy.example', port: 443 }],
])('[LG3.2] %s is a proxy', (url, expected) => {
  expect(readProxyUrl(url)).toMatchObject(expected);
});

it('[LG3.2] a user name and a password are percent-decoded', () => {
  expect(readProxyUrl('socks5://ann:p%3A%40s@a')).toMatchObject({ login: { user: 'ann', password: 'p:@s' } });
  expect(readProxyUrl('socks5://a')).not.toHaveProperty('login');
});

it.each([
  'https://proxy.example',
  'socks4://proxy.example',
  'socks5://',
  'socks5://proxy.example:0',
  'socks5://proxy.example:1080/path',
  'http://proxy.example/?query',
  `socks5://${'a'.repeat(256)}:b@proxy.example`,
  'socks5://ann:%FF@proxy.example',
  link(key.slice(2)),
  link(`dd${key}00`),
  link(`ee${key}`),
  link('not a secret!'),
  link(key).replace('443', '70000'),
  link(key).replace('proxy.example', ''),
  link(key).replace('tg://', 'https://example.org/'),
  'proxy.example:1080',
])('[LG3.3] %s is none', (url) => {
  expect(readProxyUrl(url)).toBeUndefined();
});

it.each([
  ['socks5://ann:secret@[2001:db8::1]:1081', 'socks5://[2001:db8::1]:1081'],
  ['http://ann:secret@proxy.example', 'http://proxy.example:80'],
  [link(`dd${key}`), 'tg://proxy?server=proxy.example&port=443'],
  ['', ''],
])('[LG3.8] of %s this is shown: %j', (url, shown) => {
  expect(proxyAddress(url)).toBe(shown);
});
