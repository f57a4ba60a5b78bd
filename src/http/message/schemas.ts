import { type Static, Type } from 'typebox';
import { filledText, maxTextLength, mimeType, phoneNumber, positive, shortText, url } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { text } from '../shared/openapi/describe.ts';
import { sourceFields, sourceKeywords } from './media-source.ts';

/** Telegram's message IDs are signed 32-bit numbers. */
export const maxMessageId = 2 ** 31 - 1;

export const messageId = Type.String(
  keywords({ pattern: '^[1-9][0-9]{0,9}$', is: 'a message ID', greatest: maxMessageId }),
);

const recipient = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxTextLength, description, ...keywords({ recipient: true }) }));

/** The fields that name a recipient; of several, the first counts. */
export const recipientFields = {
  group: recipient('A group, by ID or username.'),
  channel: recipient('A channel, by ID or username.'),
  user: recipient('A user ID.'),
  username: recipient('A username.'),
  phone: recipient('A phone number, with the country code.'),
};

/** The topic of a forum, beside `group`. */
export const topic = Type.Optional(
  Type.String({
    description: 'Of a forum: the ID of a topic. 1 is General.',
    ...keywords({ pattern: '^[1-9][0-9]{0,9}$', is: 'a topic ID', greatest: maxMessageId }),
  }),
);

/** Without a group there is no topic. */
export const topicIn = (fields: { group?: string | undefined; topic?: string | undefined }): number | undefined =>
  fields.group?.trim() && fields.topic ? Number(fields.topic) : undefined;

export const parseMode = Type.Optional(Type.Enum(['markdown', 'html']));

export const image = Type.Optional(
  Type.Object(
    { ...sourceFields, mimetype: mimeType, thumbnail: Type.Optional(Type.String()) },
    keywords({ neededFor: ['image'], ...sourceKeywords }),
  ),
);

export const video = Type.Optional(
  Type.Object(
    { ...sourceFields, mimetype: mimeType, duration: positive, thumbnail: Type.Optional(url) },
    keywords({ neededFor: ['video'], ...sourceKeywords }),
  ),
);

const audio = Type.Optional(
  Type.Object(
    { ...sourceFields, mimetype: mimeType, duration: positive },
    keywords({ neededFor: ['audio'], ...sourceKeywords }),
  ),
);

const document = Type.Optional(
  Type.Object(
    { ...sourceFields, name: filledText, size: positive, mimetype: mimeType },
    keywords({ neededFor: ['document'], ...sourceKeywords }),
  ),
);

const degrees = (limit: number) => Type.Number({ minimum: -limit, maximum: limit, ...keywords({ zeroIsEmpty: true }) });

const location = Type.Optional(
  Type.Object(
    {
      latitude: degrees(90),
      longitude: degrees(180),
      name: Type.Optional(shortText),
      address: Type.Optional(shortText),
    },
    keywords({ neededFor: ['location'] }),
  ),
);

const contact = Type.Optional(
  Type.Object({ name: filledText, phone: phoneNumber }, keywords({ neededFor: ['contact'] })),
);

/** What is converted, or read, needs nothing but its bytes. */
const converted = (type: string) =>
  Type.Optional(Type.Object(sourceFields, keywords({ neededFor: [type], ...sourceKeywords })));

/** `poll_answers_max` of Telegram's client configuration. */
const maxPollOptions = 12;

const poll = Type.Optional(
  Type.Object(
    {
      question: filledText,
      options: Type.Array(filledText, { minItems: 2, maxItems: maxPollOptions }),
      multiple: Type.Optional(Type.Boolean({ description: 'A voter may choose several options.' })),
      quiz: Type.Optional(
        Type.Object({
          correct: Type.Integer({
            minimum: 0,
            maximum: maxPollOptions - 1,
            description: 'Place of the right option, counted from 0.',
          }),
          explanation: Type.Optional(shortText),
        }),
      ),
    },
    keywords({ neededFor: ['poll'] }),
  ),
);

const albumItem = Type.Object(
  { type: Type.Enum(['image', 'video', 'audio', 'document']), image, video, audio, document },
  keywords({ named: 'AlbumItem' }),
);
export type AlbumItem = Static<typeof albumItem>;

const album = Type.Optional(
  Type.Object({ items: Type.Array(albumItem, { minItems: 2, maxItems: 10 }) }, keywords({ neededFor: ['album'] })),
);

/** `POST /message`; the fields after `contact` are extensions of the interface (MS8). */
export const MessageBody = Type.Object(
  {
    ...recipientFields,
    type: Type.Enum([
      ...(['text', 'image', 'video', 'audio', 'document', 'location', 'contact'] as const),
      ...(['voice', 'videoNote', 'animation', 'sticker', 'poll', 'album'] as const),
    ]),
    text: Type.Optional(Type.String(keywords({ neededFor: ['text'], blankIsEmpty: true }))),
    parseMode,
    image,
    video,
    audio,
    document,
    location,
    contact,
    voice: converted('voice'),
    videoNote: converted('videoNote'),
    animation: converted('animation'),
    sticker: converted('sticker'),
    poll,
    album,
    replyTo: Type.Optional(messageId),
    topic,
    silent: Type.Optional(Type.Boolean()),
    sendAt: Type.Optional(
      Type.String({
        description: 'When Telegram sends it: up to a year ahead, with a zone. Left out: now.',
        ...keywords({ pattern: 'T.*(?:Z|[+-][0-9]{2}:[0-9]{2})$', is: 'an ISO 8601 time with a zone' }),
      }),
    ),
  },
  keywords({ named: 'OutgoingMessage' }),
);
export type MessageBody = Static<typeof MessageBody>;

export const SentMessage = Type.Object(
  {
    messageId: Type.Optional(text('ID in the receiving chat; of an album the first one.')),
    messageIds: Type.Optional(Type.Array(Type.String(), { description: 'Of an album: of all its messages.' })),
    scheduledId: Type.Optional(
      text('Instead of `messageId`, with `sendAt`: ID in the queue of the chat; of an album the first one.'),
    ),
    scheduledIds: Type.Optional(Type.Array(Type.String(), { description: 'Of an album that is sent later.' })),
  },
  { additionalProperties: false },
);
