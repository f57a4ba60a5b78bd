import { type Static, Type } from 'typebox';
import { pictureField } from '../message/media-source.ts';
import { shortText } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { component, text, time } from '../shared/openapi/describe.ts';
import { UserSchema } from '../user/schemas.ts';

export const AccountBody = Type.Object({
  name: Type.Optional(shortText),
  about: Type.Optional(shortText),
  username: Type.Optional(shortText),
  picture: pictureField,
});

/** Telegram's hashes of logins are signed 64-bit numbers. */
export const DeviceParams = Type.Object({
  id: Type.String(keywords({ pattern: String.raw`^-?\d{1,19}$`, is: 'a number' })),
});

const closed = { additionalProperties: false };

export const AccountSchema = Type.Object(
  {
    ...UserSchema.properties,
    about: text('What the account says about itself.'),
    isPremium: Type.Boolean(),
  },
  closed,
);

export const DeviceSchema = Type.Object(
  {
    id: text('`0` for this session.'),
    isCurrent: Type.Boolean({ description: 'It is this session.' }),
    model: Type.String(),
    platform: Type.String(),
    app: Type.String(),
    created: time('When it logged in.'),
    active: time('When it was last active.'),
    ip: Type.String(),
    country: Type.String(),
  },
  closed,
);
export const Devices = Type.Object({ docs: Type.Array(component<Static<typeof DeviceSchema>>('Device')) });
