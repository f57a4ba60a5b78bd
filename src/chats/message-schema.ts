import { type TObject, Type } from 'typebox';

/** Fields of messages and people, wherever they are shown: in webhooks and in answers. */

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ description });
const link = (description: string) => Type.String({ description: `Media link: ${description}` });
const mimetype = Type.String();
const duration = Type.Number({ description: 'Seconds.' });
const size = Type.Number({ description: 'Bytes.' });
const optional = <T extends TObject>(schema: T) => Type.Optional(schema);

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
  image: optional(image),
  video: optional(video),
  sticker: optional(Type.Object({ url: link('the sticker.'), mimetype }, closed)),
  audio: optional(Type.Object({ url: link('the music.'), name: Type.String(), duration, size, mimetype }, closed)),
  voice: optional(Type.Object({ url: link('the voice note.'), duration, size, mimetype }, closed)),
  document: optional(Type.Object({ url: link('the file.'), name: Type.String(), size, mimetype }, closed)),
  polling: optional(Type.Object({ name: text('The question.'), options: Type.Array(Type.String()) }, closed)),
  location: optional(location),
  contact: optional(
    Type.Object(
      { name: Type.String(), phone: Type.String(), userId: text('Empty if they are not on Telegram.') },
      closed,
    ),
  ),
};
