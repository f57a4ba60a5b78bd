import { expect, it } from 'vitest';
import { ownName } from '../../../../console/parts/own-name.ts';

it.each([
  [{ label: 'Support desk', externalId: 'customer-4711' }, 'Support desk · customer-4711'],
  [{ label: '', externalId: 'customer-4711' }, 'customer-4711'],
  [{ label: '', externalId: '' }, ''],
])('[OS1.6] the names %j are shown as %s', (names, shown) => {
  expect(ownName(names)).toBe(shown);
});
