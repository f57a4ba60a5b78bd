import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from '../../support/repository/imports.ts';

/** Where callers prove something: sessions and keys, media links, the inspector. */
const doors = ['src/http', 'src/keys', 'src/links', 'src/media/links', 'src/inspector'];
const secret = /(?:secret|token|signature|sessionId|apiKey|password)\w*/i.source;
const comparison = new RegExp(`${secret}\\s*[!=]==?|[!=]==?\\s*[\\w.]*${secret}`, 'i');
/** Whether there is a secret may be asked. */
const presence = /[!=]==?\s*(?:undefined|null|''|'string')/g;

const comparesSecret = (line: string): boolean => comparison.test(line.replaceAll(presence, ''));

it('[AU3.1] what proves a caller is compared by timingSafeEqual alone', () => {
  const files = sourceFiles(doors).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const compared = files.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter(comparesSecret)
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(compared).toEqual([]);
  const users = files.filter(({ text }) => text.includes('timingSafeEqual(')).map(({ file }) => file);
  expect(users.toSorted()).toEqual([
    'src/http/access/authenticate-session.ts',
    'src/http/access/identify-caller.ts',
    'src/keys/key-registry.ts',
    'src/links/link-book.ts',
    'src/media/links/media-link.ts',
  ]);
  expect(
    ['given === view.secretHash', "apiKey !== 'x'", 'known.signature == given'].filter(comparesSecret),
  ).toHaveLength(3);
  expect(['apiKey === undefined', "password === ''"].filter(comparesSecret)).toEqual([]);
});
