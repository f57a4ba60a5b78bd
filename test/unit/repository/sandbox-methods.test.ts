import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { knownLayers, schemaOfLayer } from '../../../sandbox/tl/layers.ts';
import { openWorldFixture } from '../../support/sandbox/world-fixture.ts';

const rows = (readFileSync('docs/sandbox.md', 'utf8').split('\n## Methods\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').slice(2, 5).map(namesIn));

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+\.\w+)`/g)].map(([, name = '']) => name);
}

const [there, partly, missing] = [0, 1, 2].map((column) => (rows ?? []).flatMap((cells) => cells[column] ?? []));

/** All methods of the layers that the sandbox has. */
const methods = new Set(
  knownLayers().flatMap((layer) =>
    [...schemaOfLayer(layer).definitions()]
      .filter(({ kind, name }) => kind === 'method' && name.includes('.'))
      .map(({ name }) => name),
  ),
);

/** Those that are not answered METHOD_INVALID, which comes before a login is asked for. */
async function answered(): Promise<string[]> {
  const fixture = await openWorldFixture();
  const known = await Promise.all(
    [...methods].map(async (method) => {
      const error = await fixture.call(fixture.key(), method).then(
        () => undefined,
        (reason: { text?: string }) => reason.text,
      );
      return error === 'METHOD_INVALID' ? [] : [method];
    }),
  );
  return known.flat();
}

describe('the table of methods in docs/sandbox.md', () => {
  it('names the methods that the sandbox answers, and no others', async () => {
    const named = [...(there ?? []), ...(partly ?? [])];
    expect(named.toSorted()).toEqual((await answered()).toSorted());
    expect(new Set(named).size).toBe(named.length);
  });

  it('names among those that it lacks only methods that exist', () => {
    expect((missing ?? []).filter((name) => !methods.has(name))).toEqual([]);
    const answers = new Set([...(there ?? []), ...(partly ?? [])]);
    expect((missing ?? []).filter((name) => answers.has(name))).toEqual([]);
  });
});
