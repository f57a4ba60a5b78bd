import { RpcError } from '../../rpc.ts';
import { memberOf } from '../chats/members.ts';
import { requireContentPermission } from '../messages/content-permissions.ts';
import type { MessageDraft } from '../messages/send-message.ts';
import { requireWritePermission } from '../messages/write-permissions.ts';
import { type PeerRef, peerKey, samePeer } from '../state/peer.ts';
import type { ScheduledRow } from '../state/poll-rows.ts';
import type { World } from '../world.ts';

/** https://core.telegram.org/api/scheduled-messages */
const maxInChat = 100;
const maxAheadSeconds = 366 * 86_400;
/** What is due sooner is sent at once. */
const minAheadSeconds = 10;
/** Instead of a date: as soon as the recipient is online. */
const whenOnline = 0x7ffffffe;

export const isForLater = (world: World, date: number | undefined): date is number =>
  date !== undefined && date !== 0 && date >= world.now() + minAheadSeconds;

/** A user's queue in one chat, the first to leave first. */
export function scheduledIn(world: World, owner: number, peer: PeerRef): ScheduledRow[] {
  return [...world.tables.scheduled.values()]
    .filter((row) => row.owner === owner && samePeer(row.message.peer, peer))
    .toSorted((a, b) => a.message.date - b.message.date || a.message.id - b.message.id);
}

export const scheduledKey = (owner: number, peer: PeerRef, id: number): string => `${owner}/${peerKey(peer)}/${id}`;

/**
 * Puts messages into the queue, all or none.
 * @throws {RpcError} 400 SCHEDULE_BOT_NOT_ALLOWED, SCHEDULE_DATE_INVALID, SCHEDULE_DATE_TOO_LATE, SCHEDULE_TOO_MUCH;
 * 500 RANDOM_ID_DUPLICATE; what keeps the user from writing there
 */
export function scheduleMessages(
  world: World,
  owner: number,
  peer: PeerRef,
  drafts: readonly MessageDraft[],
  date: number,
): ScheduledRow[] {
  requireWritePermission(world, owner, peer);
  for (const { media } of drafts) requireContentPermission(world, owner, peer, media);
  if (world.tables.users.get(owner)?.bot) throw new RpcError(400, 'SCHEDULE_BOT_NOT_ALLOWED');
  requireDate(world, owner, peer, date);
  const queue = scheduledIn(world, owner, peer);
  if (queue.length + drafts.length > maxInChat) throw new RpcError(400, 'SCHEDULE_TOO_MUCH');
  const used = new Set(queue.map(({ message }) => message.randomId));
  if (drafts.some(({ randomId }) => randomId && used.has(String(randomId)))) {
    throw new RpcError(500, 'RANDOM_ID_DUPLICATE');
  }
  return drafts.map((draft) => putScheduled(world, owner, peer, draft, date));
}

/** @throws {RpcError} as {@link scheduleMessages} */
export function requireDate(world: World, owner: number, peer: PeerRef, date: number): void {
  if (date === whenOnline) {
    const isPerson = peer.kind === 'user' && peer.id !== owner && !world.tables.users.get(peer.id)?.bot;
    if (!isPerson) throw new RpcError(400, 'SCHEDULE_DATE_INVALID');
  } else if (date > world.now() + maxAheadSeconds) throw new RpcError(400, 'SCHEDULE_DATE_TOO_LATE');
}

function putScheduled(world: World, owner: number, peer: PeerRef, draft: MessageDraft, date: number): ScheduledRow {
  const counter = `lastScheduled/${owner}/${peerKey(peer)}`;
  const id = (world.tables.meta.get(counter)?.value ?? 0) + 1;
  world.tables.meta.put({ name: counter, value: id });
  const { randomId, views: _views, fromScheduled: _from, date: _date, ...fields } = draft;
  const isPost = peer.kind === 'channel' && !world.tables.chats.get(peerKey(peer))?.megagroup;
  const box = `scheduled:${owner}`;
  const message = Object.fromEntries(
    Object.entries({ ...fields, randomId: randomId?.toString(), post: isPost || undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Omit<MessageDraft, 'randomId'>;
  const place = { box, id, peer, from: owner, out: true, date, twin: `${box}/${peerKey(peer)}/${id}` };
  return world.tables.scheduled.put({ owner, message: { ...message, ...place } });
}

/** The named messages of a queue. @throws {RpcError} 400 MESSAGE_ID_INVALID if one of them is not there */
export function requireScheduled(world: World, owner: number, peer: PeerRef, ids: readonly number[]): ScheduledRow[] {
  return ids.map((id) => {
    const row = world.tables.scheduled.get(scheduledKey(owner, peer, id));
    if (!row) throw new RpcError(400, 'MESSAGE_ID_INVALID');
    return row;
  });
}

/** The messages whose time has come, the first one first. */
export function dueMessages(world: World): ScheduledRow[] {
  if (world.tables.scheduled.size === 0) return [];
  return [...world.tables.scheduled.values()]
    .filter(({ message }) => message.date !== whenOnline && message.date <= world.now())
    .toSorted((a, b) => a.message.date - b.message.date || a.message.id - b.message.id);
}

/** The messages that wait for a user to be online. */
export function waitingFor(world: World, userId: number): ScheduledRow[] {
  return [...world.tables.scheduled.values()].filter(
    ({ message }) => message.date === whenOnline && message.peer.kind === 'user' && message.peer.id === userId,
  );
}

/** The message of the queue as it is sent. */
export function draftOf({ message }: ScheduledRow): MessageDraft {
  const { box: _box, id: _id, peer: _peer, from: _from, out: _out, date: _date, post: _post, ...rest } = message;
  const { twin: _twin, randomId, ...draft } = rest;
  return { ...draft, randomId: randomId === undefined ? undefined : BigInt(randomId), fromScheduled: true };
}

/** Whether the sender may still write to the chat. */
export function mayLeave(world: World, { owner, message }: ScheduledRow): boolean {
  const chat = world.tables.chats.get(peerKey(message.peer));
  if (chat && !memberOf(chat, owner)) return false;
  try {
    requireWritePermission(world, owner, message.peer);
    return true;
  } catch {
    return false;
  }
}
