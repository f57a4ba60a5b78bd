import { type TObject, Type } from 'typebox';

/** Fields of messages and people, wherever they are shown: in webhooks and in answers. */

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ description });
const link = (description: string) => Type.String({ description: `Media link: ${description}` });
const mimetype = Type.String();
const duration = Type.Number({ description: 'Seconds.' });
const size = Type.Number({ description: 'Bytes.' });
const optionalText = (description: string) => Type.Optional(text(description));
const optional = <T extends TObject>(schema: T) => Type.Optional(schema);

/** Kinds of formatting, by the names of the Bot API. */
const entityTypes = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'code',
  'pre',
  'blockquote',
  'expandable_blockquote',
  'text_link',
  'text_mention',
  'custom_emoji',
] as const;

/** Of a person, beside their ID. */
export const userFields = {
  name: Type.String(),
  username: text('Without @. Empty if none.'),
  phone: text('Empty unless shared with the account.'),
  picture: link('the small profile photo, until there is another one; empty if none.'),
};

const image = Type.Object(
  { url: link('the largest size.'), thumbnail: link('about 800 pixels; empty when none is kept.'), mimetype },
  closed,
);
const video = Type.Object(
  { url: link('the video.'), thumbnail: link('320 pixels; empty when none is kept.'), duration, mimetype },
  closed,
);
const location = Type.Object(
  {
    latitude: Type.Number(),
    longitude: Type.Number(),
    name: text('Of a venue; empty for a plain pin.'),
    address: text('Of a venue; empty for a plain pin.'),
  },
  closed,
);

const entity = Type.Object(
  {
    type: Type.Enum(entityTypes),
    offset: Type.Integer({ description: 'In UTF-16 code units, as `length`.' }),
    length: Type.Integer(),
    url: optionalText('Of a `text_link`.'),
    userId: optionalText('Of a `text_mention`.'),
    language: optionalText('Of a `pre`; empty if it names none.'),
    customEmojiId: optionalText('Of a `custom_emoji`.'),
  },
  closed,
);
const poll = Type.Object(
  {
    id: text('Poll ID.'),
    question: Type.String(),
    options: Type.Array(
      Type.Object(
        {
          text: Type.String(),
          votes: Type.Union([Type.Integer(), Type.Null()], {
            description: 'null: Telegram does not tell before the account has voted, or the poll is closed.',
          }),
          chosen: Type.Boolean({ description: 'The account voted for it.' }),
          correct: Type.Boolean({ description: 'The right answer of a quiz, as soon as Telegram tells it.' }),
        },
        closed,
      ),
    ),
    total: Type.Integer({ description: 'How many have voted.' }),
    multiple: Type.Boolean({ description: 'A voter may choose several options.' }),
    quiz: Type.Boolean(),
    closed: Type.Boolean(),
    explanation: text('Of a quiz, as soon as Telegram tells it; else empty.'),
  },
  closed,
);

/** What a message holds, by its `type`. */
export const contentFields = {
  type: Type.Enum([
    'text',
    'image',
    'video',
    'sticker',
    'audio',
    'voice',
    'document',
    'poll',
    'location',
    'contact',
  ] as const),
  text: text('Message text, or the caption of media.'),
  entities: Type.Array(entity, {
    description:
      'Formatting of `text`, by offset. What Telegram finds in it by itself (addresses, @names, #tags) is left out.',
  }),
  image: optional(image),
  video: optional(video),
  sticker: optional(Type.Object({ url: link('the sticker.'), mimetype }, closed)),
  audio: optional(Type.Object({ url: link('the music.'), name: Type.String(), duration, size, mimetype }, closed)),
  voice: optional(Type.Object({ url: link('the voice note.'), duration, size, mimetype }, closed)),
  document: optional(Type.Object({ url: link('the file.'), name: Type.String(), size, mimetype }, closed)),
  polling: optional(Type.Object({ name: text('The question.'), options: Type.Array(Type.String()) }, closed)),
  poll: optional(poll),
  location: optional(location),
  contact: optional(
    Type.Object(
      { name: Type.String(), phone: Type.String(), userId: text('Empty if they are not on Telegram.') },
      closed,
    ),
  ),
};

/** What a story shows. */
export const storyFields = {
  type: Type.Enum(['image', 'video', 'text'] as const, {
    description: '`text` if it shows neither an image nor a video.',
  }),
  text: text('The caption.'),
  entities: contentFields.entities,
  image: optional(image),
  video: optional(video),
};
