import { paceErrors } from '../session/pace-errors.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { allowanceHeaders } from '../shared/openapi/response-headers.ts';
import { SentMessage } from './schemas.ts';

const url = 'https://files.example/a';
export const idempotencyKey = {
  'idempotency-key':
    'Up to 128 characters. A repeated request with the same key and body gets the same response, and nothing is sent twice. Kept for 24 hours.',
};

export const recipientErrors: ErrorLine[] = [
  [400, 'invalid receiver', 'The phone has fewer than 8 digits.'],
  [400, 'invalid chat', 'No username at all.'],
  [400, 'chat not found', 'The username does not exist, or the ID is unknown to the account.'],
  [400, 'phone is not on telegram or hidden by its privacy settings', ''],
  [400, 'group not found', 'Not a group, or not joined.'],
];

export const mediaErrors: ErrorLine[] = [
  [400, 'image should not be empty', 'Likewise video, audio, document, location and contact for their type.'],
  [400, 'image.url should not be empty', 'Likewise every other required field.'],
  [400, 'image must have only one of url, data, file', 'Likewise video, audio and document.'],
  [400, 'image.data must be base64', ''],
  [400, 'image.data must be smaller than or equal to 10485760 bytes', 'Decoded.'],
  [400, 'file not found', 'The session has not uploaded it, or more than an hour ago.'],
  [400, 'file is larger than … bytes', 'MEDIA_MAX_BYTES, or what the account may upload.'],
  [400, 'video.duration must be a positive number', ''],
  [400, 'parseMode must be one of the following values: markdown, html', ''],
  [400, 'idempotency key was used with another body', ''],
  [500, 'error parser file from url …', 'The file could not be downloaded from the given URL.'],
  [500, 'error compress image: …', 'JPEG, PNG and WebP are accepted.'],
  [
    500,
    '400: PHOTO_INVALID_DIMENSIONS (caused by messages.SendMedia)',
    'A side of the image is over 20 times the other.',
  ],
  [500, 'send timeout after 240s', ''],
  [429, 'too many files of this session are under way', '8 sends with files, or half of the room; with Retry-After.'],
  [
    429,
    'too many pictures of this session are waiting',
    'Likewise videos and sounds, look-ups of names; with Retry-After.',
  ],
  [503, 'too many files are under way', 'Of all sessions together; with Retry-After.'],
  [503, 'too many pictures are waiting', 'Likewise videos and sounds; with Retry-After.'],
  [503, 'there is no room for more files', 'The disk is nearly full; with Retry-After.'],
  [503, 'the idempotency keys of this session cannot be read', 'A send without a key is possible.'],
];

export const messageOperations: Readonly<Record<string, Operation>> = {
  'POST /message': {
    id: 'sendMessage',
    tag: 'Messages',
    summary: 'Send a message',
    description:
      'To one of group, channel, user, username and phone; of several the first in this order counts. The object ' +
      'named by `type` is required with it. Media come from one of `url` (fetched, must be public), `data` (base64, up to 10 MB) and `file` (an ID of ' +
      '`POST /file`). Images become ' +
      'JPEGs of at most 2560 pixels; audio is sent as music; a location with a name or an address is a venue. A text ' +
      'is trimmed; of more than 100 formats in it (bold, links, …) the first 100 are kept, as Telegram does. `voice` and `videoNote` ' +
      'are made of any audio or video; an animation of any video or GIF; a sticker is a WebP, TGS or WebM. An album is ' +
      'sent whole or not at all: photos with videos, music with music, documents with documents. With `sendAt`, Telegram ' +
      'keeps the message in the queue of the chat and sends it later, even if the gateway is down: the response has a ' +
      '`scheduledId`, and the message that is sent has another ID. What is due within about 10 seconds is sent at once.',
    access: 'session',
    needs: 'connected',
    parameters: idempotencyKey,
    requests: {
      text: { username: 'bob', type: 'text', text: 'Your order is **on its way**', parseMode: 'markdown' },
      image: { phone: '+1 555 000 0002', type: 'image', text: 'The receipt', image: { url, mimetype: 'image/png' } },
      video: { group: '-1003001', type: 'video', video: { url, mimetype: 'video/mp4', duration: 12 } },
      inline: { user: '1002', type: 'image', image: { data: '/9j/4AAQSkZJRgABAQ==', mimetype: 'image/jpeg' } },
      uploaded: {
        user: '1002',
        type: 'document',
        document: { file: exampleId, name: 'report.pdf', size: 48_000, mimetype: 'application/pdf' },
      },
      audio: { user: '1002', type: 'audio', audio: { url, mimetype: 'audio/mpeg', duration: 180 } },
      document: {
        channel: 'daily',
        type: 'document',
        document: { url, name: 'report.pdf', size: 48_000, mimetype: 'application/pdf' },
      },
      location: { username: 'bob', type: 'location', location: { latitude: 52.516, longitude: 13.377 } },
      contact: { username: 'bob', type: 'contact', contact: { name: 'Ann Lee', phone: '+15550000001' } },
      later: { username: 'bob', type: 'text', text: 'Happy birthday!', sendAt: '2026-12-24T09:00:00+01:00' },
      voice: { username: 'bob', type: 'voice', voice: { url } },
      poll: {
        group: '-1003001',
        type: 'poll',
        poll: {
          question: 'Tea or coffee?',
          options: ['Tea', 'Coffee'],
          quiz: { correct: 0, explanation: 'It is five.' },
        },
      },
      album: {
        username: 'bob',
        type: 'album',
        text: 'Front and back',
        album: {
          items: [
            { type: 'image', image: { url, mimetype: 'image/png' } },
            { type: 'image', image: { url, mimetype: 'image/png' } },
          ],
        },
      },
    },
    response: {
      description: 'The message was sent, or waits in the queue of the chat.',
      schema: SentMessage,
      example: { messageId: '4711' },
    },
    headers: allowanceHeaders,
    errors: [
      [400, 'invalid phone, username, user, group or channel', 'No receiver.'],
      ...recipientErrors,
      [400, 'channel not found', 'Not a channel, or not joined.'],
      [
        400,
        'type must be one of the following values: text, image, video, audio, document, location, contact, voice, videoNote, animation, sticker, poll, album',
        '',
      ],
      [400, 'text should not be empty', ''],
      [400, 'sendAt must be an ISO 8601 time with a zone', ''],
      [400, 'sendAt must be in the future', ''],
      [400, 'sendAt must be within a year', '365 days.'],
      [500, '400: SCHEDULE_TOO_MUCH (caused by messages.SendMessage)', '100 messages wait in the queue of the chat.'],
      [500, '400: SCHEDULE_DATE_TOO_LATE (caused by messages.SendMessage)', "It is too far ahead by Telegram's clock."],
      [400, 'location.latitude should not be empty', 'Missing or 0.'],
      [400, 'videoNote must be shorter than or equal to 60 seconds', ''],
      [400, 'poll.options must have between 2 and 12 entries', ''],
      [
        500,
        'error convert voice: …',
        'Likewise videoNote, animation and sticker: the file cannot be read, has no sound or no picture, or FFmpeg is missing.',
      ],
      [500, '400: MEDIA_INVALID (caused by messages.SendMedia)', 'A poll to a person.'],
      [
        429,
        'too many conversions of this session are waiting',
        'Voices, video notes and animations; with Retry-After.',
      ],
      [503, 'too many conversions are waiting', 'Of all sessions together; with Retry-After.'],
      [400, 'album.items must have between 2 and 10 entries', ''],
      [500, '400: MEDIA_GROUPED_INVALID (caused by messages.SendMultiMedia)', 'Files that no album may mix.'],
      ...mediaErrors,
      ...paceErrors,
    ],
  },
};
