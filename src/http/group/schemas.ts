import { type Static, Type } from 'typebox';
import { component, text, time } from '../shared/openapi/describe.ts';

export const GroupParams = Type.Object({ groupId: Type.String() });
export const GroupQuery = Type.Object({ groupId: Type.String() });

export const GroupSchema = Type.Object(
  {
    id: text('-123… for basic groups, -100… for supergroups.'),
    name: Type.String(),
    username: text('Public username without @. Empty for private groups and basic groups.'),
    description: text('Cached for 5 minutes.'),
    picture: text('Small group photo as a data URI. May be empty.'),
    created: time('When the account joined.'),
  },
  { additionalProperties: false },
);

export const GroupMember = Type.Object(
  {
    id: text('User ID. Usable as `user` in Send Message and Send Typing.'),
    name: text('If empty, filled with username, phone or ID.'),
    username: Type.String(),
    phone: text('Empty unless the member shared it with the account.'),
  },
  { additionalProperties: false },
);

export const Groups = Type.Object({ docs: Type.Array(component<Static<typeof GroupSchema>>('Group')) });
export const GroupMembers = Type.Object({ docs: Type.Array(component<Static<typeof GroupMember>>('GroupMember')) });
