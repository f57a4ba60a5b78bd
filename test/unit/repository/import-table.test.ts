import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readImports, sourceFiles } from '../../support/repository/imports.ts';

const program = [
  'src',
  'actors',
  'projections',
  'sandbox',
  'console',
  'bench',
  'clients/typescript/src',
  'clients/typescript/generator',
  'clients/chatwoot/src',
  'clients/mcp',
  'clients/postman',
];

const within = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The table of `docs/architecture.md`: each folder, and what it may import besides itself. */
const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split('\n## Folders\n');
const table = new Map(
  [...section.matchAll(/^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, folder = '', imports = '']) => [
    folder,
    [...imports.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  ]),
);

/** The row of a file: the longest folder that contains it. */
const rowOf = (file: string): string | undefined =>
  [...table.keys()].filter((folder) => within(file, folder)).toSorted((a, b) => b.length - a.length)[0];

/** What the program imports of itself, with the row of the importing file. */
const imports = readImports(program)
  .filter(({ target }) => program.some((top) => within(target, top)))
  .map(({ file, target }) => ({ file, target, row: rowOf(file) }));

describe('the table of folders in docs/architecture.md', () => {
  it('has a row for each file, and rows for folders that exist alone', () => {
    const files = sourceFiles(program);
    expect(files.filter((file) => rowOf(file) === undefined)).toEqual([]);
    expect([...table.keys()].filter((folder) => !files.some((file) => rowOf(file) === folder))).toEqual([]);
  });

  it.each([...table])('%s imports what its row allows', (folder, allowed) => {
    const strays = imports.filter(
      ({ row, target }) => row === folder && ![folder, ...allowed].some((name) => within(target, name)),
    );
    expect(strays.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });
});
