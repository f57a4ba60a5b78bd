import { Type } from 'typebox';
import { pushChange } from '../api/push/push-change.ts';
import { addProfilePhoto, nextFileId } from '../world/files/add-file.ts';
import { type Change, joinChanges } from '../world/notices.ts';
import type { UserRow } from '../world/state/rows.ts';
import { tellUserChange } from '../world/tell-user-change.ts';
import type { World } from '../world/world.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { editChat, memberRoles, setRole } from './edit-chat.ts';
import { resolveAccount, resolveChat } from './resolve-peer.ts';

const optionalText = Type.Optional(Type.String({ maxLength: 255 }));
const flag = Type.Optional(Type.Boolean());
/** `true`: a new photo; `false`: no photo. */
const photo = Type.Optional(Type.Boolean());
const UserIds = Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]), { maxItems: 1_000 }));

const AccountEdit = Type.Object({
  firstName: optionalText,
  lastName: optionalText,
  username: optionalText,
  about: optionalText,
  photo,
  premium: flag,
  frozen: flag,
  banned: flag,
  email: optionalText,
  codeType: Type.Optional(Type.Union((['app', 'sms', 'call', 'email'] as const).map((type) => Type.Literal(type)))),
  dc: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  contactsOnly: flag,
  phoneHidden: flag,
  forwardsHidden: flag,
  blocked: UserIds,
  contacts: UserIds,
  closeFriends: UserIds,
});
const ChatEdit = Type.Object({
  title: optionalText,
  about: optionalText,
  username: optionalText,
  photo,
  readOnly: flag,
  membersHidden: flag,
  noForwards: flag,
  slowmodeSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
});
const Membership = Type.Object({ role: Type.Union(memberRoles.map((role) => Type.Literal(role))) });

/** Changes of users, chats and members. They are pushed to all whom they concern. */
export function editRoutes(app: ControlApp, { world }: ControlDeps): void {
  const UserId = Type.Object({ userId: Type.String() });
  app.patch('/accounts/:userId', { schema: { params: UserId, body: AccountEdit } }, async ({ params, body }) => {
    const user = resolveAccount(world, params.userId);
    const { photo: newPhoto, blocked, contacts, closeFriends, ...plain } = body;
    const lists = { blocked, contacts, closeFriends };
    for (const [name, ids] of Object.entries(lists)) {
      if (ids) user[name as keyof typeof lists] = ids.map((id) => resolveAccount(world, String(id)).id);
    }
    applyChanges(world, user, plain, newPhoto);
    world.tables.users.put(user);
    pushChange(world, tellUserEdit(world, user.id, body));
    return { userId: params.userId };
  });

  const Chat = Type.Object({ peer: Type.String() });
  app.patch('/chats/:peer', { schema: { params: Chat, body: ChatEdit } }, async ({ params, body }) => {
    pushChange(world, editChat(world, resolveChat(world, params.peer), body));
    return { peer: params.peer };
  });

  const OneMember = Type.Object({ peer: Type.String(), userId: Type.String() });
  app.put(
    '/chats/:peer/members/:userId',
    { schema: { params: OneMember, body: Membership } },
    async ({ params, body }) => {
      const chat = resolveChat(world, params.peer);
      const { id } = resolveAccount(world, params.userId);
      pushChange(world, setRole(world, chat, id, body.role));
      return { peer: params.peer, userId: params.userId, role: body.role };
    },
  );
}

/** Names have an update of their own. Who has blocked whom is told to nobody. */
function tellUserEdit(world: World, userId: number, fields: object): Change {
  const names = Object.keys(fields);
  const isNamed = names.some((name) => ['firstName', 'lastName', 'username'].includes(name));
  const isSeen = names.some((name) => ['photo', 'premium', 'contactsOnly', 'phoneHidden'].includes(name));
  return joinChanges(
    ...(isNamed ? [tellUserChange(world, userId, 'userName')] : []),
    ...(isSeen ? [tellUserChange(world, userId, 'user')] : []),
  );
}

/** Empty texts, zeros and `false` remove a field that is optional. */
function applyChanges(world: World, row: UserRow, fields: Partial<UserRow>, newPhoto: boolean | undefined): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isRequired = name === 'about' || name === 'firstName';
    if (value || isRequired) Object.assign(row, { [name]: value });
    else delete row[name as keyof UserRow];
  }
  if (newPhoto === false) delete row.photo;
  if (newPhoto === true) row.photo = addProfilePhoto(world, row.dc, nextFileId(world) % 9_973, world.now()).id;
}
