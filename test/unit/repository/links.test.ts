import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));

/** Without its fenced blocks and code: what looks like a link there is none. */
const prose = (file: string): string =>
  readFileSync(file, 'utf8')
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');

/** The anchor that GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8')
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, text = '']) => anchorOf(text));

function faultOf(file: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const found = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(found)) return `${file}: ${target} is not there`;
  if (anchor === undefined || statSync(found).isDirectory() || !found.endsWith('.md')) return undefined;
  return anchorsOf(found).includes(anchor) ? undefined : `${file}: ${target} has no such heading`;
}

it('[DO1.2] every link between documents leads to a file and a heading that are there', () => {
  expect(documents.length).toBeGreaterThan(20);
  const faults = documents.flatMap((file) =>
    [...prose(file).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
      .map(([, link, picture]) => link ?? picture ?? '')
      .filter((target) => !/^[a-z]+:/.test(target))
      .flatMap((target) => faultOf(file, target) ?? []),
  );
  expect(faults).toEqual([]);
});
