import { describe, expect, it } from 'vitest';
import { format } from '../../../../src/messaging/formatting/format.ts';

const html = (text: string) => format({ text, parseMode: 'html' });

describe('a text with its markup', () => {
  it.each([
    ['blanks before', ' \n <b>x</b> y', 'x y', [{ type: 'bold', offset: 0, length: 1 }]],
    ['blanks behind', 'x <b>y</b> \n', 'x y', [{ type: 'bold', offset: 2, length: 1 }]],
    ['blanks inside the mark', '<b> x </b>', 'x', [{ type: 'bold', offset: 0, length: 1 }]],
    ['a mark of nothing but blanks', '<b> </b>x<i>\n</i>', 'x', []],
    ['blanks alone', '<b> </b>\u00a0', '', []],
    ['nothing to trim', 'x<b> </b>y', 'x y', [{ type: 'bold', offset: 1, length: 1 }]],
  ])('[MS8.3] is trimmed, and its formatting moves along: %s', (_, source, text, entities) => {
    expect(html(source)).toEqual({ text, entities });
  });

  it('[MS8.3] is trimmed without markup, too', () => {
    expect(format({ text: '\t<b> ', parseMode: undefined })).toEqual({ text: '<b>', entities: [] });
  });

  it('[MS8.3] keeps the first 100 of its formats', () => {
    const { text, entities } = html(` ${'<b>x</b> '.repeat(150)}`);
    expect(text).toHaveLength(299);
    expect(entities).toHaveLength(100);
    expect(entities.at(-1)).toEqual({ type: 'bold', offset: 198, length: 1 });
  });
});
