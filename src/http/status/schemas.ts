import { type Static, Type } from 'typebox';
import { image, parseMode, video } from '../message/schemas.ts';
import { keywords } from '../shared/keywords.ts';
import { time } from '../shared/openapi/describe.ts';

/** `POST /status` (ST1). */
export const StatusBody = Type.Object(
  {
    type: Type.Enum(['image', 'video']),
    text: Type.Optional(Type.String()),
    parseMode,
    image,
    video,
    privacy: Type.Optional(Type.Enum(['contacts', 'everyone', 'close_friends'])),
    /** Hours. */
    period: Type.Optional(Type.Enum([6, 12, 24, 48])),
  },
  keywords({ named: 'Story' }),
);
export type StatusBody = Static<typeof StatusBody>;

export const PostedStatus = Type.Object({
  statusId: Type.String(),
  created: time('When it was posted.'),
  expires: time('Until when it is shown.'),
});
