import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { long, messageEntities, textEntities } from '../../../../../src/telegram/gramjs/peers/text-entities.ts';
import type { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import type { TextEntity } from '../../../../../src/telegram/port/text.ts';

const range = { offset: 1, length: 2 };
const kinds: TextEntity[] = [
  { type: 'bold', ...range },
  { type: 'italic', ...range },
  { type: 'underline', ...range },
  { type: 'strikethrough', ...range },
  { type: 'spoiler', ...range },
  { type: 'code', ...range },
  { type: 'blockquote', ...range },
  { type: 'expandableBlockquote', ...range },
  { type: 'customEmoji', ...range, id: '5368324170671202286' },
  { type: 'pre', ...range, language: 'ts' },
  { type: 'link', ...range, url: 'https://example.org' },
];

describe('formatting from Telegram', () => {
  it.each(kinds)('[CT2.6] is what was sent: $type', (entity) => {
    expect(textEntities(messageEntities([entity], {} as PeerCache))).toEqual([entity]);
  });

  it('[CT2.6] names the user of a mention', () => {
    const mention = new Api.MessageEntityMentionName({ ...range, userId: long(1001n) });
    expect(textEntities([mention])).toEqual([{ type: 'mention', ...range, userId: '1001' }]);
  });

  it('[CT2.6] leaves out what Telegram finds by itself', () => {
    const found = [Api.MessageEntityUrl, Api.MessageEntityMention, Api.MessageEntityHashtag, Api.MessageEntityPhone];
    expect(textEntities(found.map((Kind) => new Kind(range)))).toEqual([]);
  });
});
