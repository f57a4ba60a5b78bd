import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';

const source = readFileSync('src/config/config.ts', 'utf8');
const known = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);

it('[OP1.1] .env.example names every variable, with its default', () => {
  const example = parseEnv(readFileSync('.env.example', 'utf8')) as Record<string, string>;
  expect(known.length).toBeGreaterThan(20);
  expect(Object.keys(example).toSorted()).toEqual(known.toSorted());
  expect(readConfig(example)).toEqual(readConfig({}));
});

it('[OP1.1] docs/configuration.md has a line for every variable, in its order, and for no other', () => {
  const [, section = ''] = /^## Settings$(.*?)^## /ms.exec(readFileSync('docs/configuration.md', 'utf8')) ?? [];
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, names = '']) => names);
  const named = rows.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(named).toEqual(known);
});
