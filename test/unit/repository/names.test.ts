import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../support/repository/imports.ts';

const declaration =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) +(\w+)/gm;

/** The files that export a name. A schema and the type of what it describes share a name and a file: one meaning. */
function exportsOf(folders: readonly string[]): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>();
  for (const file of sourceFiles(folders)) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(declaration)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  return files;
}

const gateway = ['src', 'actors', 'projections'];

describe('exported names', () => {
  // The sandbox is another program: it imports nothing of the gateway, and what it plays is Telegram's side.
  it.each([
    ['the gateway', gateway],
    ['the gateway and its console', [...gateway, 'console']],
    ['the gateway and its bench', [...gateway, 'bench']],
    ['the sandbox', ['sandbox']],
  ])('of %s have one meaning each', (_program, folders) => {
    const names = exportsOf(folders);
    expect(names.size).toBeGreaterThan(200);
    const repeated = [...names].filter(([, files]) => files.size > 1);
    expect(repeated.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([]);
  });
});
