import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../support/repository/imports.ts';

const lines = sourceFiles(['src', 'actors', 'projections'])
  .map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
  .toSorted((a, b) => a - b);

/** The size that a share of the files does not exceed. */
const percentile = (share: number): number => lines[Math.ceil(lines.length * share) - 1] ?? 0;

function folders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return [
    folder,
    ...entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => folders(`${folder}/${name}`)),
  ];
}

/** That no file has more than 300 lines is a rule of the linter (`max-lines`). */
describe('sizes', () => {
  it('half of the files have at most 60 lines, 90 % at most 170', () => {
    expect(lines.length).toBeGreaterThan(300);
    expect(percentile(0.5)).toBeLessThanOrEqual(60);
    expect(percentile(0.9)).toBeLessThanOrEqual(170);
  });

  it.each(['src', 'actors', 'projections', 'sandbox', 'console', 'bench', 'test'])(
    'no folder of %s has more than 20 files',
    (top) => {
      const crowded = folders(top)
        .map((folder) => ({
          folder,
          files: readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length,
        }))
        .filter(({ files }) => files > 20);
      expect(crowded).toEqual([]);
    },
  );
});
