import { Type } from 'typebox';
import { userFields } from '../../chats/message-schema.ts';
import { text } from '../shared/openapi/describe.ts';

export const UserParams = Type.Object({ userId: Type.String() });

const closed = { additionalProperties: false };

/** A person or bot in a list. */
export const UserSchema = Type.Object(
  { id: text('User ID. Usable as `user` in Send Message.'), ...userFields },
  closed,
);

/** One of them, with all that Telegram tells. */
export const PersonSchema = Type.Object(
  {
    ...UserSchema.properties,
    about: text('What they say about themselves.'),
    isBot: Type.Boolean(),
    isContact: Type.Boolean(),
    isBlocked: Type.Boolean({ description: 'The account has blocked them.' }),
    isPremium: Type.Boolean(),
  },
  closed,
);
