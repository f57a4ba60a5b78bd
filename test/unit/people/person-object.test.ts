import { expect, it } from 'vitest';
import { splitName } from '../../../src/people/person-object.ts';

it.each([
  ['Bob', { first: 'Bob', last: '' }],
  [' Bob  Stone ', { first: 'Bob', last: 'Stone' }],
  ['Anna Lee Smith', { first: 'Anna', last: 'Lee Smith' }],
])('[PE1.2] %j has a first and a last name', (name, parts) => {
  expect(splitName(name)).toEqual(parts);
});
