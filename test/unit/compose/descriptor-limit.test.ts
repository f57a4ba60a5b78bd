import { expect, it } from 'vitest';
import { warnOfFewDescriptors } from '../../../src/compose/descriptor-limit.ts';

it.each([
  [1_000, 1_511, [{ limit: 1_511, needed: 1_512, sessions: 1_000 }]],
  [1_000, 1_512, []],
  [0, 256, [{ limit: 256, needed: 512, sessions: 0 }]],
])('[FA1.2] with %i sessions and a limit of %i the start says %j', (sessions, limit, expected) => {
  const said: unknown[] = [];
  warnOfFewDescriptors(sessions, { warn: (fields: unknown) => said.push(fields) }, limit);
  expect(said).toEqual(expected);
});

it('[FA1.2] reads the limit of this process', () => {
  const said: unknown[] = [];
  warnOfFewDescriptors(Number.MAX_SAFE_INTEGER, { warn: (fields: unknown) => said.push(fields) });
  expect(said).toEqual(process.platform === 'linux' ? [expect.objectContaining({ limit: expect.any(Number) })] : []);
});
