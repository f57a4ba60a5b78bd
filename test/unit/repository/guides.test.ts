import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeBlocks } from '../../support/documents/code-blocks.ts';

const folder = 'docs/guides';
const pages = readdirSync(folder).filter((file) => file.endsWith('.md'));

describe('docs/guides', () => {
  it('[DO1.3] the pages with shell blocks are run by a test, or each block says what it needs', () => {
    const runner = readFileSync('test/integration/programs/guides.long.test.ts', 'utf8');
    const unexplained = pages
      .filter((page) => !runner.includes(`'${folder}/${page}'`))
      .flatMap((page) => codeBlocks(readFileSync(`${folder}/${page}`, 'utf8')).map((block) => ({ page, ...block })))
      .filter(({ language, above }) => language === 'sh' && !/\bneeds\b/.test(above))
      .map(({ page, line }) => `${page}:${line}`);
    expect(pages.length).toBeGreaterThan(6);
    expect(unexplained).toEqual([]);
  });

  it('[DO1.3] every figure of sizing.md is a bar of the bench', () => {
    const benches = new Map(
      readdirSync('bench/lines', { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => [file.replace(/^.*\/|\.ts$/g, ''), readFileSync(`bench/lines/${file}`, 'utf8')]),
    );
    const rows = [
      ...readFileSync(`${folder}/sizing.md`, 'utf8').matchAll(/^\| .+ \| ([≤≥]) ([\d,.]+) \S+ \| `([\w-]+)` \|$/gm),
      ...readFileSync(`${folder}/sizing.md`, 'utf8').matchAll(/^\| .+ \| ([≤≥]) ([\d,.]+) \| `([\w-]+)` \|$/gm),
    ];
    expect(rows.length).toBe(15);
    const wrong = rows.filter(([, sign = '', figure = '', name = '']) => {
      const bar = `bar: { ${sign === '≤' ? 'atMost' : 'atLeast'}: ${figure.replaceAll(',', '_')} }`;
      return benches.get(name)?.includes(bar) !== true;
    });
    expect(wrong.map(([row]) => row)).toEqual([]);
  });
});
