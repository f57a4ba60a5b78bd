import { Type } from 'typebox';
import { addProfilePhoto, nextFileId } from '../world/files/add-file.ts';
import type { ChatRow, Member, UserRow } from '../world/state/rows.ts';
import type { World } from '../world/world.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
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
  dc: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  contactsOnly: flag,
  phoneHidden: flag,
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
  slowmodeSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
});
const roles = ['creator', 'admin', 'member', 'left', 'kicked'] as const;
const Membership = Type.Object({ role: Type.Union(roles.map((role) => Type.Literal(role))) });

/** Changes of users, chats and members. Nothing is pushed: clients see the change when they ask again. */
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
    return { userId: params.userId };
  });

  const Chat = Type.Object({ peer: Type.String() });
  app.patch('/chats/:peer', { schema: { params: Chat, body: ChatEdit } }, async ({ params, body }) => {
    const chat = resolveChat(world, params.peer);
    const { photo: newPhoto, ...plain } = body;
    applyChanges(world, chat, plain, newPhoto);
    world.tables.chats.put(chat);
    return { peer: params.peer };
  });

  const OneMember = Type.Object({ peer: Type.String(), userId: Type.String() });
  app.put(
    '/chats/:peer/members/:userId',
    { schema: { params: OneMember, body: Membership } },
    async ({ params, body }) => {
      const chat = resolveChat(world, params.peer);
      const { id } = resolveAccount(world, params.userId);
      const { role } = body;
      const isMember = role !== 'left' && role !== 'kicked';
      if (isMember) chat.members[id] = memberWithRole(chat.members[id]?.date ?? world.now(), role);
      else delete chat.members[id];
      const others = (chat.kicked ?? []).filter((other) => other !== id);
      chat.kicked = role === 'kicked' ? [...others, id] : others;
      world.tables.chats.put(chat);
      return { peer: params.peer, userId: params.userId, role };
    },
  );
}

/** Empty texts, zeros and `false` remove a field that is optional. */
function applyChanges<Row extends UserRow | ChatRow>(
  world: World,
  row: Row,
  fields: Partial<Row>,
  newPhoto: boolean | undefined,
): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isRequired = ['title', 'about', 'firstName'].includes(name);
    if (value || isRequired) Object.assign(row, { [name]: value });
    else delete row[name as keyof Row];
  }
  if (newPhoto === false) delete row.photo;
  if (newPhoto === true) row.photo = addProfilePhoto(world, row.dc, nextFileId(world) % 9_973, world.now()).id;
}

function memberWithRole(date: number, role: 'creator' | 'admin' | 'member'): Member {
  return role === 'member' ? { date } : { date, role };
}
