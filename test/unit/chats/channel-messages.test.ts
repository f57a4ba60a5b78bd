import { describe, expect, it } from 'vitest';
import { channelMessage } from '../../../src/chats/channel-messages.ts';
import { messageContent } from '../../../src/chats/message-content.ts';
import type { ChatMessage, MessageMedia } from '../../../src/telegram/port/chat-message.ts';

const message = (media?: MessageMedia, text = ''): ChatMessage => ({
  id: 17,
  chatId: '-1004001',
  created: 1_770_000_000_000,
  fromMe: false,
  text,
  ...(media && { media }),
});
const content = (media?: MessageMedia, text?: string): object =>
  messageContent(
    message(media, text),
    ({ chatId, messageId, variant }, ext) => `${chatId}/${messageId}/${variant}.${ext}`,
  );
const at = (file: string): string => `-1004001/17/${file}`;

const video = {
  kind: 'video',
  mimetype: 'video/mp4',
  duration: 12.5,
  hasThumbnail: true,
  name: 'clip.mov',
  size: 5,
} as const;
const sticker = { kind: 'sticker', name: '', size: 5, hasThumbnail: true } as const;
const file = { mimetype: 'application/pdf', name: 'paper.PDF', size: 1234 } as const;

describe('the content of a message', () => {
  it.each<[string, MessageMedia | undefined, string, object]>([
    ['a text', undefined, 'Hello', { type: 'text', text: 'Hello' }],
    ['an empty text', undefined, '', { type: 'text', text: '' }],
    [
      'a photo',
      { kind: 'photo', mimetype: 'image/jpeg', hasThumbnail: true },
      'Look',
      {
        type: 'image',
        text: 'Look',
        image: { url: at('photo.jpg'), thumbnail: at('thumb.jpg'), mimetype: 'image/jpeg' },
      },
    ],
    [
      'a photo without a preview',
      { kind: 'photo', mimetype: 'image/jpeg', hasThumbnail: false },
      '',
      { type: 'image', text: '', image: { url: at('photo.jpg'), thumbnail: '', mimetype: 'image/jpeg' } },
    ],
    [
      'a video',
      video,
      '',
      {
        type: 'video',
        text: '',
        video: { url: at('file.mov'), thumbnail: at('thumb.jpg'), duration: 12.5, mimetype: 'video/mp4' },
      },
    ],
    [
      'a round video, or a GIF, without name and preview',
      { ...video, name: '', hasThumbnail: false },
      '',
      { type: 'video', text: '', video: { url: at('file.mp4'), thumbnail: '', duration: 12.5, mimetype: 'video/mp4' } },
    ],
    [
      'a sticker',
      { ...sticker, mimetype: 'image/webp', isAnimated: false },
      '',
      { type: 'sticker', text: '', sticker: { url: at('file.webp'), mimetype: 'image/webp' } },
    ],
    [
      'an animated sticker: its preview',
      { ...sticker, mimetype: 'application/x-tgsticker', isAnimated: true },
      '',
      { type: 'sticker', text: '', sticker: { url: at('file.webp'), mimetype: 'image/webp' } },
    ],
    [
      'a video sticker without a preview',
      { ...sticker, mimetype: 'video/webm', isAnimated: true, hasThumbnail: false },
      '',
      { type: 'sticker', text: '', sticker: { url: '', mimetype: 'image/webp' } },
    ],
    [
      'a document',
      { kind: 'document', ...file },
      'Read',
      { type: 'document', text: 'Read', document: { url: at('file.pdf'), ...order(file) } },
    ],
    [
      'music',
      { kind: 'audio', mimetype: 'audio/mpeg', name: 'song.mp3', size: 7, duration: 3 },
      '',
      {
        type: 'document',
        text: '',
        document: { url: at('file.mp3'), name: 'song.mp3', size: 7, mimetype: 'audio/mpeg' },
      },
    ],
    [
      'a voice note, which has no name',
      { kind: 'voice', mimetype: 'audio/ogg', name: '', size: 7, duration: 3 },
      '',
      {
        type: 'document',
        text: '',
        document: { url: at('file.ogg'), name: 'voice.ogg', size: 7, mimetype: 'audio/ogg' },
      },
    ],
    [
      'a poll',
      { kind: 'poll', question: 'Shall we?', options: ['Yes', 'No'] },
      '',
      { type: 'poll', text: '', polling: { name: 'Shall we?', options: ['Yes', 'No'] } },
    ],
    ...(
      [
        { kind: 'location', latitude: 1, longitude: 2 },
        { kind: 'venue', latitude: 1, longitude: 2, title: 'Here', address: 'There' },
        { kind: 'contact', phone: '1', name: 'Bob', userId: '' },
        { kind: 'unsupported' },
      ] as const
    ).flatMap((media): [string, MessageMedia, string, object][] => [
      [`${media.kind} without a caption`, media, '', { type: 'text', text: 'UNSUPPORTED TYPE' }],
      [`${media.kind} with a caption`, media, 'Here', { type: 'text', text: 'Here' }],
    ]),
  ])('[CH3.1] [CH3.2] %s', (_name, media, text, expected) => {
    expect(content(media, text)).toEqual(expected);
  });

  it.each([
    [{ id: '-1004001', username: 'daily' }, 'https://t.me/daily/17'],
    [{ id: '-1001234567890', username: '' }, 'https://t.me/c/1234567890/17'],
  ])('[PL1.1] the link to a message of %j', (chat, url) => {
    expect(channelMessage(chat, message(undefined, 'Hi'), () => '')).toEqual({
      id: '17',
      serverId: 17,
      url,
      type: 'text',
      text: 'Hi',
      created: '2026-02-02T02:40:00.000Z',
    });
  });
});

/** As the interface has it. */
function order({ name, size, mimetype }: { name: string; size: number; mimetype: string }): object {
  return { name, size, mimetype };
}
