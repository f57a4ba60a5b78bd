import { describe, expect, it } from 'vitest';
import { contentOf, mediaOf } from '../../../../clients/chatwoot/src/bridge/describe-message.ts';
import { partsOf, telegramMarkdown } from '../../../../clients/chatwoot/src/bridge/message-parts.ts';
import { isForTelegram } from '../../../../clients/chatwoot/src/bridge/take-outgoing.ts';
import type { ChatwootMessage } from '../../../../clients/chatwoot/src/chatwoot/payloads.ts';
import type { MessageData } from '../../../../clients/chatwoot/src/gateway/envelope.ts';

const message: ChatwootMessage = {
  id: 5,
  content: 'Hello',
  message_type: 'outgoing',
  private: false,
  source_id: null,
  created_at: 1_700_000_000,
};
const picture = { file_type: 'image', data_url: 'https://chatwoot.example/a.png' };
const voice = { file_type: 'audio', data_url: 'https://chatwoot.example/a.ogg' };

describe('what an agent writes', () => {
  it.each([
    ['**bold** and *italic*', '**bold** and __italic__'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['*a* *b*', '__a__ __b__'],
    [String.raw`snake\_case and 5 \* 6`, 'snake_case and 5 * 6'],
    ['one\\\ntwo  \nthree', 'one\ntwo\nthree'],
    ['[the order](https://shop.example/4711)', '[the order](https://shop.example/4711)'],
    ['***both***', '***both***'],
  ])('[CW1.2] %j is %j for the gateway', (content, expected) => {
    expect(telegramMarkdown(content)).toBe(expected);
  });

  it('[CW1.3] the text is below the first file, or before it where it has no room', () => {
    expect(partsOf({ ...message, attachments: [picture, picture] })).toEqual([
      { text: 'Hello', attachment: picture },
      { text: '', attachment: picture },
    ]);
    expect(partsOf({ ...message, attachments: [voice] })).toEqual([
      { text: 'Hello', attachment: undefined },
      { text: '', attachment: voice },
    ]);
    const long = 'x'.repeat(1025);
    expect(partsOf({ ...message, content: long, attachments: [picture] })).toEqual([
      { text: long, attachment: undefined },
      { text: '', attachment: picture },
    ]);
    expect(partsOf({ ...message, content: null })).toEqual([]);
  });

  it('[CW1.4] [CW1.5] notes, activities, deleted messages and those of the bridge stay in Chatwoot', () => {
    expect(isForTelegram(message)).toBe(true);
    expect(isForTelegram({ ...message, message_type: 1 })).toBe(true);
    expect(isForTelegram({ ...message, message_type: 'template' })).toBe(true);
    expect(isForTelegram({ ...message, message_type: 'incoming' })).toBe(false);
    expect(isForTelegram({ ...message, message_type: 2 })).toBe(false);
    expect(isForTelegram({ ...message, private: true })).toBe(false);
    expect(isForTelegram({ ...message, source_id: 'telegram:1002:17' })).toBe(false);
    expect(isForTelegram({ ...message, content_attributes: { deleted: true } })).toBe(false);
  });
});

describe('what a customer sends', () => {
  const data: MessageData = {
    id: '17',
    chatId: '1002',
    fromMe: false,
    user: { id: '1002', name: 'Bob Stone', username: 'bob', phone: '', picture: '' },
    type: 'text',
    text: '',
    replyTo: '',
  };

  it('[CW1.1] places, contacts and polls are told in words', () => {
    const location = { latitude: 52.516, longitude: 13.377, name: 'Gate', address: '' };
    expect(contentOf({ ...data, location })).toBe('Location: Gate 52.516, 13.377');
    expect(contentOf({ ...data, contact: { name: 'Ann', phone: '15550000001' } })).toBe('Contact: Ann, 15550000001');
    expect(contentOf({ ...data, polling: { name: 'Tea?', options: ['Yes', 'No'] } })).toBe('Poll: Tea?\n- Yes\n- No');
  });

  it('[CW1.3] a file has its name, or one that says what it is', () => {
    const url = 'https://gateway.example/media/a/1002/17/photo/signature.jpg';
    const mimetype = 'image/jpeg';
    expect(mediaOf({ ...data, type: 'image', image: { url, mimetype } })?.name).toBe('image-17.jpg');
    expect(mediaOf({ ...data, type: 'document', document: { url, mimetype, name: 'a.pdf' } })?.name).toBe('a.pdf');
    expect(mediaOf(data)).toBeUndefined();
  });
});
