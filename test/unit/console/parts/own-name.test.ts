import { expect, it } from 'vitest';
import { matchesSearch } from '../../../../console/overview/session-filter.ts';
import { ownName } from '../../../../console/parts/own-name.ts';

const session = {
  id: '0190-AB',
  externalId: 'customer-4711',
  label: 'Support desk',
} as Parameters<typeof matchesSearch>[0];

it.each([
  [{ label: 'Support desk', externalId: 'customer-4711' }, 'Support desk · customer-4711'],
  [{ label: '', externalId: 'customer-4711' }, 'customer-4711'],
  [{ label: '', externalId: '' }, ''],
])('[OS1.6] the names %j are shown as %s', (names, shown) => {
  expect(ownName(names)).toBe(shown);
});

it.each([
  ['ab', true],
  [' 4711 ', true],
  ['SUPPORT', true],
  ['', true],
  ['other', false],
])('[OS1.6] the search %j finds the session: %s', (search, isFound) => {
  expect(matchesSearch(session, search)).toBe(isFound);
});
