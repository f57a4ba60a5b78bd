import { RpcError } from '../../rpc.ts';
import { requireWritePermission } from '../messages/write-permissions.ts';
import type { GivenReaction, MessageRow } from '../state/message-rows.ts';
import { boxOf, type PeerRef, peerKey, samePeer } from '../state/peer.ts';
import type { World } from '../world.ts';
import { isAllowedIn } from './available-reactions.ts';

/** `reactions_user_max_default`, `…_premium` and `reactions_uniq_max` of https://core.telegram.org/api/config */
const maxOfUser = 1;
const maxOfUserPremium = 3;
const maxOfMessage = 11;

/** What a user has changed of their reactions to a message. */
export interface ReactionChange {
  message: MessageRow;
  userId: number;
  before: readonly string[];
  after: readonly string[];
}

export const reactionsTo = (world: World, message: MessageRow): readonly GivenReaction[] =>
  world.tables.reactions.get(message.twin)?.given ?? [];

/** The message with this ID in a chat. @throws {RpcError} 400 MESSAGE_ID_INVALID */
export function requireMessage(world: World, viewer: number, peer: PeerRef, id: number): MessageRow {
  const message = world.tables.message(boxOf(viewer, peer), id);
  if (!message || !samePeer(message.peer, peer)) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  return message;
}

/**
 * Sets a user's reactions to a message; none removes them.
 * @throws {RpcError} 400 MESSAGE_ID_INVALID, MESSAGE_NOT_MODIFIED, REACTION_INVALID, REACTIONS_TOO_MANY,
 * PREMIUM_ACCOUNT_REQUIRED, and what keeps the user from writing to a person
 */
export function giveReaction(
  world: World,
  userId: number,
  { peer, id, keys, big }: { peer: PeerRef; id: number; keys: readonly string[]; big: boolean },
): ReactionChange {
  const message = requireMessage(world, userId, peer, id);
  if (peer.kind === 'user' && peer.id !== userId) requireWritePermission(world, userId, peer);
  requireAllowed(world, userId, peer, keys);
  const before = reactionsTo(world, message);
  const own = before.find(({ user }) => user === userId);
  if ((own?.keys ?? []).join() === keys.join()) throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  const others = before.filter(({ user }) => user !== userId);
  const unique = new Set([...others, { keys }].flatMap((given) => given.keys));
  if (keys.length > 0 && unique.size > maxOfMessage) throw new RpcError(400, 'REACTIONS_TOO_MANY');
  const given: GivenReaction = { user: userId, keys: [...keys], date: world.now() };
  if (big) given.big = true;
  if (message.from !== userId) given.unread = true;
  putReactions(world, message, keys.length > 0 ? [...others, given] : others);
  return { message, userId, before: own?.keys ?? [], after: keys };
}

function requireAllowed(world: World, userId: number, peer: PeerRef, keys: readonly string[]): void {
  const isPremium = world.tables.users.get(userId)?.premium ?? false;
  if (keys.length > (isPremium ? maxOfUserPremium : maxOfUser)) throw new RpcError(400, 'REACTIONS_TOO_MANY');
  const chat = world.tables.chats.get(peerKey(peer));
  for (const key of keys) {
    if (key.startsWith('custom:') && !isPremium) throw new RpcError(400, 'PREMIUM_ACCOUNT_REQUIRED');
    if (!isAllowedIn(chat, key)) throw new RpcError(400, 'REACTION_INVALID');
  }
}

function putReactions(world: World, message: MessageRow, given: GivenReaction[]): void {
  if (given.length > 0) world.tables.reactions.put({ twin: message.twin, given });
  else world.tables.reactions.delete(message.twin);
}

/** The author's messages in a chat that have reactions which the author has not seen. */
export function unreadReactions(world: World, author: number, peer: PeerRef): MessageRow[] {
  const box = boxOf(author, peer);
  return [...world.tables.reactions.values()]
    .filter(({ given }) => given.some(({ unread }) => unread))
    .map(({ twin }) => world.tables.copiesOf(twin).get(box))
    .flatMap((id) => (id === undefined ? [] : (world.tables.message(box, id) ?? [])))
    .filter((row) => row.from === author && samePeer(row.peer, peer))
    .toSorted((a, b) => a.id - b.id);
}

/** The author has seen all reactions in a chat. Returns the messages that had unread ones. */
export function readReactions(world: World, author: number, peer: PeerRef): MessageRow[] {
  const messages = unreadReactions(world, author, peer);
  for (const message of messages) {
    const seen = reactionsTo(world, message).map(({ unread: _unread, ...given }) => given);
    putReactions(world, message, seen);
  }
  return messages;
}
