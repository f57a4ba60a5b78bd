import { Type } from 'typebox';
import { answerAsHelper } from '../api/push/answer-as-helper.ts';
import { pushChannelRead } from '../api/push/push-channel-read.ts';
import { pushTyping } from '../api/push/push-typing.ts';
import { pushUpdates } from '../api/push/push-updates.ts';
import { dialogsOf, unreadCount } from '../world/dialogs.ts';
import { deleteFromBox, deleteFromChannel } from '../world/messages/delete-messages.ts';
import { editMessage } from '../world/messages/edit-message.ts';
import { readHistory } from '../world/messages/read-history.ts';
import { maxTextLength, normalizeText } from '../world/messages/rich-text.ts';
import { sendMessage } from '../world/messages/send-message.ts';
import { showTyping } from '../world/show-typing.ts';
import { boxOf, markedPeerId, type PeerRef, peerKey, samePeer } from '../world/state/peer.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { describeMessage } from './describe-message.ts';
import { displayName } from './display-name.ts';
import { Media, makeMedia } from './make-media.ts';
import { resolveAccount, resolvePeer } from './resolve-peer.ts';

const UserId = Type.Object({ userId: Type.String() });
const Peer = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);
const Message = Type.Object({ userId: Type.String(), peer: Type.String(), messageId: Type.Integer({ minimum: 1 }) });
const NewMessage = Type.Object({
  peer: Peer,
  text: Type.Optional(Type.String()),
  media: Type.Optional(Media),
  replyTo: Type.Optional(Type.Integer()),
  silent: Type.Optional(Type.Boolean()),
});
const Listing = Type.Object({
  peer: Type.String({ minLength: 1 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
});

/** What a phone may show that it does. */
const actions = ['typing', 'recordAudio', 'uploadPhoto', 'chooseSticker', 'cancel'] as const;

/** What an account does on its phone: write, edit, delete and read. Its other devices get the updates. */
export function messageRoutes(app: ControlApp, { world }: ControlDeps): void {
  const normalized = (text: string) => {
    const rich = normalizeText(text, [], () => 0n);
    if (rich.text.length > maxTextLength) throw new ControlError(400, 'text is too long');
    return rich;
  };

  app.post('/accounts/:userId/messages', { schema: { params: UserId, body: NewMessage } }, async ({ params, body }) => {
    const user = resolveAccount(world, params.userId);
    if (user.deleted) throw new ControlError(400, 'deleted accounts cannot send messages');
    const peer = resolvePeer(world, String(body.peer));
    const rich = normalized(body.text ?? '');
    if (rich.text === '' && !body.media) throw new ControlError(400, 'text should not be empty');
    const media = body.media && (await makeMedia(world, user.dc, body.media));
    const { replyTo, silent } = body;
    const sent = sendMessage(world, user.id, peer, { ...rich, media, replyTo, silent });
    pushUpdates(world, sent.updates);
    answerAsHelper(world, user.id, peer, rich.text);
    return { messageId: String(sent.message.id) };
  });

  const Edit = Type.Object({ text: Type.String({ minLength: 1 }) });
  app.patch(
    '/accounts/:userId/messages/:peer/:messageId',
    { schema: { params: Message, body: Edit } },
    async ({ params, body }) => {
      const user = resolveAccount(world, params.userId);
      pushUpdates(
        world,
        editMessage(world, user.id, resolvePeer(world, params.peer), params.messageId, { rich: normalized(body.text) }),
      );
      return { messageId: String(params.messageId) };
    },
  );

  app.delete('/accounts/:userId/messages/:peer/:messageId', { schema: { params: Message } }, async ({ params }) => {
    const user = resolveAccount(world, params.userId);
    const peer = resolvePeer(world, params.peer);
    const message = world.tables.message(boxOf(user.id, peer), params.messageId);
    if (!message || !samePeer(message.peer, peer)) throw new ControlError(404, 'message not found');
    const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(peer)) : undefined;
    const rows = chat
      ? deleteFromChannel(world, user.id, chat, [message.id])
      : deleteFromBox(world, user.id, [message.id], true);
    pushUpdates(world, rows);
    return { messageId: String(params.messageId) };
  });

  app.post(
    '/accounts/:userId/read',
    { schema: { params: UserId, body: Type.Object({ peer: Peer }) } },
    async ({ params, body }) => {
      const user = resolveAccount(world, params.userId);
      const peer = resolvePeer(world, String(body.peer));
      const done = readHistory(world, user.id, peer, 0);
      pushUpdates(world, done.updates);
      if (peer.kind === 'channel' && done.changed) pushChannelRead(world, user.id, peer, done.readBySender);
      return { read: done.changed };
    },
  );

  app.get(
    '/accounts/:userId/messages',
    { schema: { params: UserId, querystring: Listing } },
    async ({ params, query }) => {
      const user = resolveAccount(world, params.userId);
      const peer = resolvePeer(world, query.peer);
      const box = boxOf(user.id, peer);
      const ids = world.tables
        .history(box, peerKey(peer))
        .slice(-(query.limit ?? 50))
        .toReversed();
      return ids.flatMap((id) => {
        const row = world.tables.message(box, id);
        return row ? [describeMessage(world, user.id, row)] : [];
      });
    },
  );

  const PeerQuery = Type.Object({ peer: Type.String({ minLength: 1 }) });
  app.get(
    '/accounts/:userId/typing',
    { schema: { params: UserId, querystring: PeerQuery } },
    async ({ params, query }) => {
      const user = resolveAccount(world, params.userId);
      return world.typing.seenBy(user.id, peerKey(resolvePeer(world, query.peer))).map(({ from, action, at }) => ({
        from: String(from),
        action,
        time: new Date(at).toISOString(),
      }));
    },
  );

  const Typing = Type.Object({ peer: Type.String({ minLength: 1 }), action: Type.Optional(Type.Enum([...actions])) });
  app.post('/accounts/:userId/typing', { schema: { params: UserId, body: Typing } }, async ({ params, body }) => {
    const user = resolveAccount(world, params.userId);
    const { action: name = 'typing' } = body;
    const peer = resolvePeer(world, body.peer);
    const type = `sendMessage${name.charAt(0).toUpperCase()}${name.slice(1)}Action`;
    const action = name === 'uploadPhoto' ? { _: type, progress: 0 } : { _: type };
    pushTyping(world, user.id, peer, action, showTyping(world, user.id, peer, action));
    return { action: name };
  });

  app.get('/accounts/:userId/chats', { schema: { params: UserId } }, async ({ params }) => {
    const user = resolveAccount(world, params.userId);
    return dialogsOf(world, user.id).map(({ peer, top }) => ({
      peer: markedPeerId(peer),
      kind: kindOf(peer),
      title: titleOf(peer, user.id),
      unread: unreadCount(world, user.id, peer),
      last: top ? describeMessage(world, user.id, top, false) : undefined,
    }));
  });

  function kindOf(peer: PeerRef): 'user' | 'group' | 'channel' {
    if (peer.kind === 'user') return 'user';
    return peer.kind === 'chat' || world.tables.chats.get(peerKey(peer))?.megagroup ? 'group' : 'channel';
  }

  function titleOf(peer: PeerRef, viewer: number): string {
    if (peer.kind !== 'user') return world.tables.chats.get(peerKey(peer))?.title ?? '';
    if (peer.id === viewer) return 'Saved messages';
    const user = world.tables.users.get(peer.id);
    return (user && (displayName(user) || user.username)) || String(peer.id);
  }
}
