import { RpcError, type TlObject } from '../../rpc.ts';
import { othersIn } from '../chats/members.ts';
import { dialogOf } from '../dialogs.ts';
import { placeInForum, requireOpenTopic } from '../forums/find-topic.ts';
import { notePollMessage } from '../polls/polls.ts';
import type { MediaRow } from '../state/file-rows.ts';
import type { ForwardOrigin, MessageRow, UpdateRow } from '../state/message-rows.ts';
import { boxOf, type PeerKey, type PeerRef, peerKey, userPeer } from '../state/peer.ts';
import type { World } from '../world.ts';
import { requireContentPermission } from './content-permissions.ts';
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
  /** The topic of a forum; that of the message that it replies to if left out. */
  topic?: number | undefined;
  silent?: boolean | undefined;
  randomId?: bigint | undefined;
  /** The `hash` of the login that sends it; left out if the control API does. */
  sentBy?: string | undefined;
  groupedId?: string | undefined;
  /** Seconds since 1970; now if left out. */
  date?: number | undefined;
  views?: number | undefined;
  forwarded?: ForwardOrigin | undefined;
  noForwards?: boolean | undefined;
  fromScheduled?: boolean | undefined;
  /** A bot's keyboard: the TL `ReplyMarkup`. */
  markup?: TlObject | undefined;
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
  const [sent] = sendMessages(world, from, peer, [draft]);
  return sent as SentMessage;
}

/** Sends several messages, all or none. @throws {RpcError} as {@link sendMessage}; 400 SLOWMODE_MULTI_MSGS_DISABLED */
export function sendMessages(
  world: World,
  from: number,
  peer: PeerRef,
  drafts: readonly MessageDraft[],
): SentMessage[] {
  const randomIds = drafts.map(({ randomId }) => randomId);
  requireSendPermission(world, from, peer, randomIds);
  for (const draft of drafts) {
    requireContentPermission(world, from, peer, draft.media);
    requireOpenTopic(world, from, peer, draft);
  }
  const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(peer)) : undefined;
  if (chat?.slowmodeSeconds) world.tables.dialogs.put({ ...dialogOf(world, from, peer), lastSent: world.now() });
  return drafts.map((draft) => placeMessage(world, from, peer, draft));
}

/** For messages that are sent together. @throws {RpcError} as {@link sendMessages} */
export function requireSendPermission(
  world: World,
  from: number,
  peer: PeerRef,
  randomIds: readonly (bigint | undefined)[],
): void {
  const named = randomIds.filter((id) => id);
  const isRepeated = new Set(named).size < named.length;
  if (isRepeated || named.some((id) => id && world.tables.findByRandomId(from, id))) {
    throw new RpcError(500, 'RANDOM_ID_DUPLICATE');
  }
  requireWritePermission(world, from, peer);
  requireSlowModeElapsed(world, from, peer, randomIds.length);
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
    forwarded: draft.forwarded,
    noForwards: draft.noForwards || undefined,
    markup: draft.markup,
    twin,
  });
  const updates: UpdateRow[] = [];
  notePollMessage(world, from, draft.media, twin);
  const addCopy = (row: MessageCopy): MessageRow => {
    const message = world.tables.messages.put({ ...common, ...withoutUndefined(row) });
    updates.push(recordUpdate(world, { box: row.box, kind: 'new', ids: [row.id], count: 1, peer: row.peer, date }));
    return message;
  };
  const randomId = draft.randomId ? draft.randomId.toString() : undefined;
  const { sentBy } = draft;
  const fromScheduled = draft.fromScheduled || undefined;
  const place = placeInForum(world, peer, draft);
  const replyTo = replyTarget(world, ownBox, peer, place.replyTo);
  if (peer.kind === 'channel') {
    const isPost = !world.tables.chats.get(peerKey(peer))?.megagroup;
    const message = addCopy({
      box: ownBox,
      id,
      peer,
      from,
      out: false,
      replyTo,
      topic: place.topic,
      randomId,
      sentBy,
      post: isPost,
      views: draft.views ?? (isPost ? 1 : undefined),
      fromScheduled,
    });
    return { message, updates };
  }
  const message = addCopy({ box: ownBox, id, peer, from, out: true, replyTo, randomId, sentBy, fromScheduled });
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
  [Field in 'replyTo' | 'topic' | 'randomId' | 'sentBy' | 'post' | 'views' | 'fromScheduled']?:
    | MessageRow[Field]
    | undefined;
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
