import { RpcError } from '../../rpc.ts';
import { memberOf } from '../chats/members.ts';
import { requireAdminRight, requireMemberRight } from '../chats/rights.ts';
import { requireMessage } from '../reactions/give-reaction.ts';
import type { MessageRow, UpdateRow } from '../state/message-rows.ts';
import { boxOf, type PeerKey, type PeerRef, peerKey } from '../state/peer.ts';
import type { World } from '../world.ts';
import { recordUpdate } from './message-boxes.ts';
import { placeMessage } from './send-message.ts';
import { requireWritePermission } from './write-permissions.ts';

export interface PinOptions {
  isPinned: boolean;
  /** In private chats: only for the user who pins. */
  oneSide: boolean;
  silent: boolean;
}

/**
 * Pins or unpins a message, and tells the chat of a new pin by a service message. In Saved Messages, and on one side
 * of a private chat, there is none.
 * @throws {RpcError} 400 MESSAGE_ID_INVALID, CHAT_ADMIN_REQUIRED, CHAT_NOT_MODIFIED, BOT_ONESIDE_NOT_AVAIL
 */
export function pinMessage(
  world: World,
  userId: number,
  peer: PeerRef,
  id: number,
  { isPinned, oneSide, silent }: PinOptions,
): UpdateRow[] {
  const message = requireMessage(world, userId, peer, id);
  if (message.action) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  if (oneSide && world.tables.users.get(userId)?.bot) throw new RpcError(400, 'BOT_ONESIDE_NOT_AVAIL');
  requirePinPermission(world, userId, peer);
  if ((message.pinned ?? false) === isPinned) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  const isLocal = peer.kind === 'user' && oneSide;
  const copies = isLocal ? new Map([[message.box, id]]) : world.tables.copiesOf(message.twin);
  const updates = [...copies].flatMap(([box, copyId]) => setPinned(world, box, [copyId], isPinned));
  updates.sort((a, b) => Number(b.box === message.box) - Number(a.box === message.box));
  const isTold = isPinned && !isLocal && !(peer.kind === 'user' && peer.id === userId);
  if (!isTold) return updates;
  const action = { _: 'messageActionPinMessage' };
  return [...updates, ...placeMessage(world, userId, peer, { text: '', action, replyTo: id, silent }).updates];
}

/** Unpins all messages of a chat, for all. @throws {RpcError} 400 CHAT_ADMIN_REQUIRED */
export function unpinAllMessages(world: World, userId: number, peer: PeerRef): UpdateRow[] {
  requirePinPermission(world, userId, peer);
  const own = boxOf(userId, peer);
  const byBox = new Map<PeerKey, number[]>([[own, []]]);
  for (const { twin } of pinnedMessages(world, userId, peer)) {
    for (const [box, id] of world.tables.copiesOf(twin)) byBox.set(box, [...(byBox.get(box) ?? []), id]);
  }
  return [...byBox].flatMap(([box, ids]) => setPinned(world, box, ids, false));
}

/** The pinned messages of a chat as a user sees it, oldest first. */
export function pinnedMessages(world: World, viewer: number, peer: PeerRef): MessageRow[] {
  const box = boxOf(viewer, peer);
  const rows = world.tables.history(box, peerKey(peer)).map((id) => world.tables.message(box, id));
  return rows.filter((row) => row?.pinned === true) as MessageRow[];
}

function requirePinPermission(world: World, userId: number, peer: PeerRef): void {
  const chat = world.tables.chats.get(peerKey(peer));
  if (!chat) return requireWritePermission(world, userId, peer);
  if (chat.kind === 'chat' && !memberOf(chat, userId)) throw new RpcError(400, 'PEER_ID_INVALID');
  if (chat.kind === 'channel' && !chat.megagroup) return requireAdminRight(chat, userId, 'edit_messages');
  requireMemberRight(world, chat, userId, 'pin_messages');
}

/** Changes the messages of one box that are not so yet, and records one update for them. */
function setPinned(world: World, box: PeerKey, ids: readonly number[], isPinned: boolean): UpdateRow[] {
  const changed = ids
    .flatMap((id) => world.tables.message(box, id) ?? [])
    .filter((row) => (row.pinned ?? false) !== isPinned);
  const [first] = changed;
  if (!first) return [];
  for (const row of changed) {
    if (isPinned) row.pinned = true;
    else delete row.pinned;
    world.tables.messages.put(row);
  }
  noteLatestPin(world, box, isPinned ? first.id : undefined);
  const kind = isPinned ? 'pin' : 'unpin';
  return [
    recordUpdate(world, { box, kind, ids: changed.map(({ id }) => id), count: changed.length, peer: first.peer }),
  ];
}

/** A channel names the message that was pinned last: after it is unpinned or deleted, the newest that is pinned. */
export function noteLatestPin(world: World, box: PeerKey, pinned: number | undefined): void {
  const chat = box.startsWith('channel:') ? world.tables.chats.get(box) : undefined;
  if (!chat) return;
  const ids = world.tables.history(box, box);
  const latest = pinned ?? ids.findLast((id) => world.tables.message(box, id)?.pinned);
  if (latest === undefined) delete chat.pinned;
  else chat.pinned = latest;
  world.tables.chats.put(chat);
}
