import { type Static, Type } from 'typebox';
import { pictureField } from '../message/media-source.ts';
import { filledText, shortText } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';
import { component, maybeTime, text, time } from '../shared/openapi/describe.ts';

const group = { groupId: Type.String() };
const channel = { channelId: Type.String() };
const member = { userId: Type.String() };
export const paramsOf = { group: Type.Object(group), channel: Type.Object(channel) };
export const memberParamsOf = {
  group: Type.Object({ ...group, ...member }),
  channel: Type.Object({ ...channel, ...member }),
};

/** As many as one request to Telegram takes. */
const users = Type.Array(filledText, { minItems: 1, maxItems: 200 });
const newUsers = Type.Optional(Type.Array(filledText, { minItems: 0, maxItems: 200 }));

export const NewGroupBody = Type.Object({
  name: filledText,
  users: newUsers,
  kind: Type.Optional(Type.Enum(['group', 'supergroup'])),
  description: Type.Optional(shortText),
});
export const NewChannelBody = Type.Object({ name: filledText, users: newUsers, description: Type.Optional(shortText) });

const maySay = Type.Optional(Type.Boolean());
const info = {
  name: Type.Optional(shortText),
  description: Type.Optional(shortText),
  picture: pictureField,
};
export const GroupChangeBody = Type.Object({
  ...info,
  permissions: Type.Optional(
    Type.Object({
      messages: maySay,
      media: maySay,
      stickers: maySay,
      polls: maySay,
      links: maySay,
      invite: maySay,
      pin: maySay,
      info: maySay,
    }),
  ),
  slowmode: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
});
export const ChannelChangeBody = Type.Object(info);

export const UsersBody = Type.Object({ users });
export const RoleBody = Type.Object({ role: Type.Enum(['admin', 'member']) });
export const InviteBody = Type.Object({
  name: Type.Optional(shortText),
  expires: Type.Optional(shortText),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999 })),
  approval: Type.Optional(Type.Boolean()),
});
export const JoinBody = Type.Object({ link: Type.String({ maxLength: 2_048, ...keywords({ blankIsEmpty: true }) }) });

const closed = { additionalProperties: false };
const missing = Type.Array(Type.String(), { description: 'User IDs of those whom their own settings keep out.' });

export const MissingMembers = Type.Object({ missing }, closed);
export const InviteSchema = Type.Object(
  {
    link: Type.String(),
    name: text('Only administrators see it.'),
    created: time('When it was made.'),
    expires: maybeTime('Until when it can be used.'),
    limit: Type.Integer({ description: 'How many may join with it; 0: any number.' }),
    uses: Type.Integer({ description: 'How many have joined with it.' }),
    approval: Type.Boolean({ description: 'An administrator lets each of them in.' }),
  },
  closed,
);
export const Invites = Type.Object({ docs: Type.Array(component<Static<typeof InviteSchema>>('Invite')) });

/** `groupId` or `channelId`. */
export const createdChat = (name: string) => Type.Object({ [name]: text('Of the new chat.'), missing }, closed);
export const joinedResponse = (name: string) =>
  Type.Object({ [name]: text('Empty until an administrator lets the account in.') }, closed);
