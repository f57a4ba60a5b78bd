import { RpcError, type TlObject } from '../rpc.ts';
import { dialogOf } from './dialogs.ts';
import { boxOf } from './members.ts';
import { recordUpdate, takeMessageId } from './message-boxes.ts';
import { type PeerKey, type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { MediaRow, MessageRow, UpdateRow } from './state/rows.ts';
import type { World } from './world.ts';
import { requireMayWrite, requireSlowmode } from './write-permissions.ts';

export interface Draft {
  text: string;
  entities?: TlObject[] | undefined;
  media?: MediaRow | undefined;
  /** A service message. */
  action?: TlObject | undefined;
  /** A message ID in the sender's view of the chat. */
  replyTo?: number | undefined;
  silent?: boolean | undefined;
  randomId?: bigint | undefined;
  /** The `hash` of the login that sends it; left out where a phone does. */
  sentBy?: string | undefined;
  groupedId?: string | undefined;
  /** Seconds since 1970; now if left out. */
  date?: number | undefined;
  views?: number | undefined;
}

export interface Sent {
  /** The sender's copy. */
  message: MessageRow;
  /** What happened in every box, the sender's first. */
  updates: UpdateRow[];
}

/**
 * Writes a message into the boxes of all who get it.
 * @throws {RpcError} RANDOM_ID_DUPLICATE, or what {@link requireMayWrite} throws
 */
export function sendMessage(world: World, from: number, peer: PeerRef, draft: Draft): Sent {
  requireMaySend(world, from, peer, draft.randomId);
  const chat = peer.kind === 'channel' ? world.chats.get(peerKey(peer)) : undefined;
  if (chat?.slowmodeSeconds) world.dialogs.put({ ...dialogOf(world, from, peer), lastSent: world.now() });
  return placeMessage(world, from, peer, draft);
}

/** @throws {RpcError} as {@link sendMessage} */
export function requireMaySend(world: World, from: number, peer: PeerRef, randomId: bigint | undefined): void {
  if (randomId && world.sentWith(from, randomId)) throw new RpcError(500, 'RANDOM_ID_DUPLICATE');
  requireMayWrite(world, from, peer);
  requireSlowmode(world, from, peer);
}

/** Like {@link sendMessage}, without asking whether the sender may: what the seed and service messages need. */
export function placeMessage(world: World, from: number, peer: PeerRef, draft: Draft): Sent {
  const date = draft.date ?? world.now();
  const ownBox = boxOf(from, peer);
  const id = takeMessageId(world, ownBox);
  const twin = `${ownBox}/${id}`;
  const common = tidy({
    date,
    text: draft.text,
    entities: draft.entities?.length ? draft.entities : undefined,
    media: draft.media,
    action: draft.action,
    silent: draft.silent || undefined,
    groupedId: draft.groupedId,
    twin,
  });
  const updates: UpdateRow[] = [];
  const place = (row: Copy): MessageRow => {
    const message = world.messages.put({ ...common, ...tidy(row) });
    updates.push(recordUpdate(world, { box: row.box, kind: 'new', ids: [row.id], count: 1, peer: row.peer, date }));
    return message;
  };
  const randomId = draft.randomId ? draft.randomId.toString() : undefined;
  const replyTo = replyTarget(world, ownBox, peer, draft.replyTo);
  if (peer.kind === 'channel') {
    const post = !world.chats.get(peerKey(peer))?.megagroup;
    const message = place({
      box: ownBox,
      id,
      peer,
      from,
      out: false,
      replyTo,
      randomId,
      sentBy: draft.sentBy,
      post,
      views: draft.views ?? (post ? 1 : undefined),
    });
    return { message, updates };
  }
  const message = place({ box: ownBox, id, peer, from, out: true, replyTo, randomId, sentBy: draft.sentBy });
  for (const other of othersIn(world, from, peer)) {
    const box = peerKey(userPeer(other));
    const seen = peer.kind === 'user' ? userPeer(from) : peer;
    place({
      box,
      id: takeMessageId(world, box),
      peer: seen,
      from,
      out: false,
      replyTo: twinIn(world, ownBox, replyTo, box),
    });
  }
  return { message, updates };
}

/** What differs from copy to copy. */
type Copy = Pick<MessageRow, 'box' | 'id' | 'peer' | 'from' | 'out'> & {
  [Field in 'replyTo' | 'randomId' | 'sentBy' | 'post' | 'views']?: MessageRow[Field] | undefined;
};

/** Telegram drops a reply to a message that is not there. */
function replyTarget(world: World, box: PeerKey, peer: PeerRef, id: number | undefined): number | undefined {
  const target = id === undefined ? undefined : world.message(box, id);
  return target && peerKey(target.peer) === peerKey(peer) ? target.id : undefined;
}

function twinIn(world: World, box: PeerKey, id: number | undefined, other: PeerKey): number | undefined {
  const message = id === undefined ? undefined : world.message(box, id);
  return message && world.twins(message.twin).get(other);
}

function othersIn(world: World, from: number, peer: PeerRef): number[] {
  if (peer.kind === 'user') return peer.id === from ? [] : [peer.id];
  return Object.keys(world.chats.get(peerKey(peer))?.members ?? {})
    .map(Number)
    .filter((id) => id !== from);
}

/** Without the fields that are undefined: rows stay equal after a round through the journal. */
function tidy<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row;
}
