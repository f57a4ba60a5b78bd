import { Type } from 'typebox';
import { pushChange } from '../api/push/push-change.ts';
import { addChats, addMadeUpUsers } from '../world/chats/add-chats.ts';
import { creatorOf, memberCount } from '../world/chats/members.ts';
import { migrateChat } from '../world/chats/migrate-chat.ts';
import { putChat, tell } from '../world/chats/tell-members.ts';
import { dialogOf } from '../world/dialogs.ts';
import { markedPeerId } from '../world/state/peer.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { resolveAccount, resolveChat, resolvePeer } from './resolve-peer.ts';

const chatKinds = ['basic', 'supergroup', 'channel'] as const;
const NewChats = Type.Object({
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000 })),
  kind: Type.Optional(Type.Union(chatKinds.map((kind) => Type.Literal(kind)))),
  members: Type.Optional(Type.Integer({ minimum: 0, maximum: 20_000 })),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
});
const NewMembers = Type.Object({ count: Type.Integer({ minimum: 1, maximum: 20_000 }) });
const Folder = Type.Object({ folder: Type.Union([Type.Literal(0), Type.Literal(1)]) });

/** Adding many chats and members, the archive, and the migration of basic groups. */
export function chatRoutes(app: ControlApp, { world }: ControlDeps): void {
  const UserId = Type.Object({ userId: Type.String() });
  app.post('/accounts/:userId/groups', { schema: { params: UserId, body: NewChats } }, async ({ params, body }) => {
    const { count = 1, kind = 'supergroup', members = 0, title = 'Group' } = body;
    const creator = resolveAccount(world, params.userId).id;
    const { chats, change } = addChats(world, creator, { count, kind, members, title });
    pushChange(world, change);
    return chats.map((chat) => ({ peer: markedPeerId(chat), title: chat.title }));
  });

  const Chat = Type.Object({ peer: Type.String() });
  app.post('/chats/:peer/members', { schema: { params: Chat, body: NewMembers } }, async ({ params, body }) => {
    const chat = resolveChat(world, params.peer);
    const date = world.now();
    for (const id of addMadeUpUsers(world, body.count)) chat.members[id] = { date };
    putChat(world, chat);
    pushChange(world, tell(world, chat, chat.kind === 'chat' ? 'participants' : 'chat'));
    return { peer: params.peer, members: memberCount(chat) };
  });

  app.post('/chats/:peer/migrate', { schema: { params: Chat } }, async ({ params }) => {
    const chat = resolveChat(world, params.peer);
    const creator = creatorOf(chat);
    if (chat.kind !== 'chat' || chat.migratedTo !== undefined || creator === undefined) {
      throw new ControlError(400, 'not a basic group');
    }
    const { channel, change } = migrateChat(world, chat, creator);
    pushChange(world, change);
    return { peer: markedPeerId(channel) };
  });

  const OneChat = Type.Object({ userId: Type.String(), peer: Type.String() });
  app.put('/accounts/:userId/chats/:peer', { schema: { params: OneChat, body: Folder } }, async ({ params, body }) => {
    const { id } = resolveAccount(world, params.userId);
    const dialog = dialogOf(world, id, resolvePeer(world, params.peer));
    const { archived: _before, ...rest } = dialog;
    world.tables.dialogs.put(body.folder === 1 ? { ...rest, archived: true } : rest);
    return { peer: params.peer, folder: body.folder };
  });
}
