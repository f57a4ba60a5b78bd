import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';

it('[OP1] .env.example names every variable, with its default', () => {
  const example = parseEnv(readFileSync('.env.example', 'utf8')) as Record<string, string>;
  const source = readFileSync('src/config.ts', 'utf8');
  const known = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
  expect(known.length).toBeGreaterThan(20);
  expect(Object.keys(example).toSorted()).toEqual(known.toSorted());
  expect(readConfig(example)).toEqual(readConfig({}));
});
