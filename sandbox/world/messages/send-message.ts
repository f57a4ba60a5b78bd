import { RpcError, type TlObject } from '../../rpc.ts';
import { dialogOf } from '../dialogs.ts';
import { othersIn } from '../members.ts';
import type { MediaRow } from '../state/file-rows.ts';
import { boxOf, type PeerKey, type PeerRef, peerKey, userPeer } from '../state/peer.ts';
import type { MessageRow, UpdateRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { recordUpdate, takeMessageId } from './message-boxes.ts';
import { requireSlowModeElapsed, requireWritePermission } from './write-permissions.ts';

export interface MessageDraft {
  text: string;
  entities?: TlObject[] | undefined;
  media?: MediaRow | undefined;
  /** Makes it a service message: the TL `MessageAction`. */
  action?: TlObject | undefined;
  /** A message ID in the sender's box. */
  replyTo?: number | undefined;
  silent?: boolean | undefined;
  randomId?: bigint | undefined;
  /** The `hash` of the login that sends it; left out if the control API does. */
  sentBy?: string | undefined;
  groupedId?: string | undefined;
  /** Seconds since 1970; now if left out. */
  date?: number | undefined;
  views?: number | undefined;
}

export interface SentMessage {
  /** The sender's copy. */
  message: MessageRow;
  /** One update for each box, the sender's first. */
  updates: UpdateRow[];
}

/**
 * Sends a message: stores a copy in the box of each recipient.
 * @throws {RpcError} RANDOM_ID_DUPLICATE, or what {@link requireWritePermission} throws
 */
export function sendMessage(world: World, from: number, peer: PeerRef, draft: MessageDraft): SentMessage {
  requireSendPermission(world, from, peer, draft.randomId);
  const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(peer)) : undefined;
  if (chat?.slowmodeSeconds) world.tables.dialogs.put({ ...dialogOf(world, from, peer), lastSent: world.now() });
  return placeMessage(world, from, peer, draft);
}

/** @throws {RpcError} as {@link sendMessage} */
export function requireSendPermission(world: World, from: number, peer: PeerRef, randomId: bigint | undefined): void {
  if (randomId && world.tables.findByRandomId(from, randomId)) throw new RpcError(500, 'RANDOM_ID_DUPLICATE');
  requireWritePermission(world, from, peer);
  requireSlowModeElapsed(world, from, peer);
}

/** As {@link sendMessage}, without checking permissions: for the seed and for service messages. */
export function placeMessage(world: World, from: number, peer: PeerRef, draft: MessageDraft): SentMessage {
  const date = draft.date ?? world.now();
  const ownBox = boxOf(from, peer);
  const id = takeMessageId(world, ownBox);
  const twin = `${ownBox}/${id}`;
  const common = withoutUndefined({
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
  const addCopy = (row: MessageCopy): MessageRow => {
    const message = world.tables.messages.put({ ...common, ...withoutUndefined(row) });
    updates.push(recordUpdate(world, { box: row.box, kind: 'new', ids: [row.id], count: 1, peer: row.peer, date }));
    return message;
  };
  const randomId = draft.randomId ? draft.randomId.toString() : undefined;
  const replyTo = replyTarget(world, ownBox, peer, draft.replyTo);
  if (peer.kind === 'channel') {
    const isPost = !world.tables.chats.get(peerKey(peer))?.megagroup;
    const message = addCopy({
      box: ownBox,
      id,
      peer,
      from,
      out: false,
      replyTo,
      randomId,
      sentBy: draft.sentBy,
      post: isPost,
      views: draft.views ?? (isPost ? 1 : undefined),
    });
    return { message, updates };
  }
  const message = addCopy({ box: ownBox, id, peer, from, out: true, replyTo, randomId, sentBy: draft.sentBy });
  for (const other of othersIn(world, from, peer)) {
    const box = peerKey(userPeer(other));
    const peerForOther = peer.kind === 'user' ? userPeer(from) : peer;
    addCopy({
      box,
      id: takeMessageId(world, box),
      peer: peerForOther,
      from,
      out: false,
      replyTo: copyIn(world, ownBox, replyTo, box),
    });
  }
  return { message, updates };
}

/** The fields in which the copies of a message differ. */
type MessageCopy = Pick<MessageRow, 'box' | 'id' | 'peer' | 'from' | 'out'> & {
  [Field in 'replyTo' | 'randomId' | 'sentBy' | 'post' | 'views']?: MessageRow[Field] | undefined;
};

/** Undefined if the message does not exist: Telegram then sends it without a reply. */
function replyTarget(world: World, box: PeerKey, peer: PeerRef, id: number | undefined): number | undefined {
  const target = id === undefined ? undefined : world.tables.message(box, id);
  return target && peerKey(target.peer) === peerKey(peer) ? target.id : undefined;
}

/** The ID of the same message in another box. */
function copyIn(world: World, box: PeerKey, id: number | undefined, otherBox: PeerKey): number | undefined {
  const message = id === undefined ? undefined : world.tables.message(box, id);
  return message && world.tables.copiesOf(message.twin).get(otherBox);
}

/** Leaves out undefined fields: JSON has none, and a row must be the same after it was read from the journal. */
function withoutUndefined<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row;
}
