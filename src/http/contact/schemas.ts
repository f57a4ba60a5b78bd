import { type Static, Type } from 'typebox';
import { filledText } from '../shared/fields.ts';
import { component } from '../shared/openapi/describe.ts';
import type { UserSchema } from '../user/schemas.ts';

export const ContactBody = Type.Object({ phone: filledText, name: filledText });
export const PhoneQuery = Type.Object({ phone: filledText });

const user = component<Static<typeof UserSchema>>('User');
export const Contacts = Type.Object({ docs: Type.Array(user) });
export const PhoneCheck = Type.Object(
  {
    exists: Type.Boolean({ description: 'Somebody has this number on Telegram, and lets it be seen.' }),
    user: Type.Optional(user),
  },
  { additionalProperties: false },
);
