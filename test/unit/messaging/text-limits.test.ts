import { expect, it, vi } from 'vitest';
import * as formatting from '../../../src/messaging/formatting/format.ts';
import { formatWithin, longCaption, longStoryCaption, longText } from '../../../src/messaging/text-limits.ts';

vi.mock('../../../src/messaging/formatting/format.ts', { spy: true });

const marked = (text: string, parseMode?: 'markdown' | 'html') => ({ text, parseMode });

it('[MS6.3] 4,096 characters are a text, one more is too long, whatever marks it has', () => {
  for (const letter of ['x', 'ä', '😀']) {
    const longest = letter.repeat(4096);
    expect(formatWithin(marked(longest), longText)).toEqual({ text: longest, entities: [] });
    expect(formatWithin(marked(` **${longest}** `, 'markdown'), longText).text).toBe(longest);
    expect(() => formatWithin(marked(`**${longest}x**`, 'markdown'), longText)).toThrow(
      '400: MESSAGE_TOO_LONG (caused by messages.SendMessage)',
    );
  }
});

it('[MS6.3] a text of more than 64 KB is not formatted at all', () => {
  const most = '<b>x</b>'.repeat(4096).padEnd(64 * 1024);
  expect(formatWithin(marked(most, 'html'), longText).text).toBe('x'.repeat(4096));
  vi.mocked(formatting.format).mockClear();
  for (const [tooLong, message] of [
    [longText, '400: MESSAGE_TOO_LONG (caused by messages.SendMessage)'],
    [longCaption, '400: MEDIA_CAPTION_TOO_LONG (caused by messages.SendMedia)'],
    [longStoryCaption, '400: MEDIA_CAPTION_TOO_LONG (caused by stories.SendStory)'],
  ] as const) {
    expect(() => formatWithin(marked(`${most} `, 'html'), tooLong)).toThrow(message);
    expect(() => formatWithin(marked('ä'.repeat(32 * 1024 + 1), 'html'), tooLong)).toThrow(message);
  }
  expect(formatting.format).not.toHaveBeenCalled();
});
