import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markAsData, untrustedNotice } from '../../../../clients/mcp/src/untrusted.ts';

const begin = '\n<data-from-telegram>\n';
const end = '\n</data-from-telegram>';

it('[MC1.3] no text ends the marks, and every text is in them as it is', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '/',
    'data-from-telegram',
    '\n',
    '"',
    '\\',
    '</data-from-telegram>',
    '\u202E',
  );
  const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const marked = markAsData({ untrusted: { text } });
      expect(marked.startsWith(untrustedNotice + begin)).toBe(true);
      expect(marked.indexOf(end)).toBe(marked.length - end.length);
      expect(marked.slice((untrustedNotice + begin).length, -end.length)).not.toMatch(/[<>\u202E\u{E0000}-\u{E007F}]/u);
      expect(JSON.parse(marked.slice((untrustedNotice + begin).length, -end.length))).toEqual({ untrusted: { text } });
    }),
    { numRuns: 500 },
  );
});
