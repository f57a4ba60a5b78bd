import { expect, it } from 'vitest';
import { allPowers, beyondPowers, type Powers } from '../../../src/keys/powers.ts';

const tenant: Powers = { scopes: ['keys', 'accounts'], tenant: 'acme', expires: 1_000 };

it.each<[string, Powers, Powers, string[]]>([
  ['all, of all', allPowers, allPowers, []],
  ['a part of all, with a tenant and an end', { scopes: ['raw'], tenant: 'acme', expires: 5 }, allPowers, []],
  ['its own', tenant, tenant, []],
  ['less, and earlier', { ...tenant, scopes: ['accounts'], expires: 999 }, tenant, []],
  [
    'another scope',
    { ...tenant, scopes: ['accounts', 'raw', 'strings'] },
    tenant,
    ['scopes must be among those of the key that issues it: raw, strings'],
  ],
  ['another tenant', { ...tenant, tenant: 'other' }, tenant, ['tenant must be acme']],
  ['no tenant', { scopes: ['accounts'], expires: 1_000 }, tenant, ['tenant must be acme']],
  ['a later end', { ...tenant, expires: 1_001 }, tenant, ['expires must not be after 1970-01-01T00:00:01.000Z']],
  [
    'everything else, and no end',
    { scopes: ['raw'], tenant: 'other' },
    tenant,
    [
      'scopes must be among those of the key that issues it: raw',
      'tenant must be acme',
      'expires must not be after 1970-01-01T00:00:01.000Z',
    ],
  ],
  [
    'less than its limits, or the same',
    { ...tenant, limits: { sessions: 5, sendsPerDay: 1 } },
    { ...tenant, limits: { sessions: 5 } },
    [],
  ],
  [
    'more than its limits, or none',
    { ...tenant, limits: { sessions: 6 } },
    { ...tenant, limits: { sessions: 5, sendsPerDay: 100 } },
    ['limits.sessions must be at most 5', 'limits.sendsPerDay must be at most 100'],
  ],
  ['its chats, or fewer', { ...tenant, chats: ['1'] }, { ...tenant, chats: ['1', '-2'] }, []],
  ['some chats, of all', { ...tenant, chats: ['1'] }, tenant, []],
  [
    'other chats',
    { ...tenant, chats: ['1', '3', '-4'] },
    { ...tenant, chats: ['1', '-2'] },
    ['chats must be among those of the key that issues it: 3, -4'],
  ],
  ['all chats', tenant, { ...tenant, chats: ['1'] }, ['chats must be among those of the key that issues it']],
])('[KY1.3] [KY5.8] a key issues %s', (_what, wish, issuer, beyond) => {
  expect(beyondPowers(wish, issuer)).toEqual(beyond);
});
