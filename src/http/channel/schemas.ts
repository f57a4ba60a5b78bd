import { type Static, Type } from 'typebox';
import { maxTextLength } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { component, mediaLink, text, time } from '../shared/openapi/describe.ts';

export const ChannelParams = Type.Object({ channelId: Type.String() });

export const MessagesQuery = Type.Object({
  channelId: Type.String(),
  before: Type.Optional(
    Type.String({ maxLength: maxTextLength, ...keywords({ pattern: '^[0-9]+$', is: 'a number' }) }),
  ),
});

export const ChannelSchema = Type.Object(
  {
    id: text('-100…'),
    name: Type.String(),
    username: text('Public username without @. Empty for private channels.'),
    picture: text('Small photo as a data URI. May be empty.'),
    isOwner: Type.Boolean({ description: 'True when the account created or administers the channel.' }),
    created: time('When the account joined.'),
  },
  { additionalProperties: false },
);

const content = {
  type: Type.Enum(['text', 'image', 'video', 'sticker', 'document', 'poll']),
  text: text('Message text, or the caption of media.'),
  image: Type.Optional(
    Type.Object({
      url: mediaLink('the largest size, up to 2560 pixels.'),
      thumbnail: mediaLink('about 800 pixels.'),
      mimetype: Type.String(),
    }),
  ),
  video: Type.Optional(
    Type.Object({
      url: mediaLink('the video.'),
      thumbnail: mediaLink('320 pixels; empty when none is kept.'),
      duration: Type.Number({ description: 'Seconds.' }),
      mimetype: Type.String(),
    }),
  ),
  sticker: Type.Optional(Type.Object({ url: mediaLink('the sticker.'), mimetype: Type.String() })),
  document: Type.Optional(
    Type.Object({
      url: mediaLink('the file.'),
      name: Type.String(),
      size: Type.Number({ description: 'Bytes.' }),
      mimetype: Type.String(),
    }),
  ),
  polling: Type.Optional(Type.Object({ name: text('The question.'), options: Type.Array(Type.String()) })),
};

export const ChannelMessageSchema = Type.Object(
  {
    id: text('Message ID.'),
    serverId: Type.Integer({ description: 'Message ID as a number. Higher is newer.' }),
    url: text('Link to the message; of private channels for members only.'),
    ...content,
    created: time('When it was sent.'),
  },
  { additionalProperties: false },
);

export const Channels = Type.Object({ docs: Type.Array(component<Static<typeof ChannelSchema>>('Channel')) });
export const ChannelMessagesSchema = Type.Object({
  docs: Type.Array(component<Static<typeof ChannelMessageSchema>>('ChannelMessage')),
  before: Type.Integer({ description: 'The `before` of the next page; 0 when there is none.' }),
});
