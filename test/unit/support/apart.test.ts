import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apartTests } from '../../support/cluster/apart.ts';

it('each test that two nodes skip is in its file', () => {
  const missing = apartTests.filter(({ file, title }) => {
    const source = readFileSync(`test/e2e/${file}`, 'utf8');
    return !['] ', "'", '"', '`'].some((before) => source.includes(before + title));
  });
  expect(missing).toEqual([]);
});
