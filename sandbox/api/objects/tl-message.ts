import type { TlObject } from '../../rpc.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { MessageRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlDocument, tlPhoto } from './tl-file.ts';
import { tlPeer } from './tl-peer.ts';

/** A message as one viewer sees it. */
export function tlMessage(world: World, viewer: number, row: MessageRow): TlObject {
  const common: TlObject = {
    _: row.action ? 'messageService' : 'message',
    out: isOut(row, viewer),
    silent: row.silent ?? false,
    post: row.post ?? false,
    id: row.id,
    // In a private chat Telegram leaves out the sender of incoming messages: it is the peer.
    from_id: row.from !== undefined && needsSender(row, viewer) ? tlPeer(userPeer(row.from)) : undefined,
    peer_id: tlPeer(row.peer),
    reply_to: tlReply(row),
    date: row.date,
  };
  if (row.action) return { ...common, action: tlAction(world, viewer, row.action) };
  return {
    ...common,
    pinned: row.pinned ?? false,
    message: row.text,
    media: row.media && tlMedia(world, viewer, row.media),
    entities: row.entities?.length ? row.entities : undefined,
    views: row.views,
    forwards: row.views === undefined ? undefined : 0,
    edit_date: row.editDate,
    grouped_id: row.groupedId === undefined ? undefined : BigInt(row.groupedId),
  };
}

/** Whether the viewer has sent the message. Posts in channels are incoming for everyone. */
export function isOut(row: MessageRow, viewer: number): boolean {
  return row.peer.kind === 'channel' ? row.from === viewer && !row.post : row.out;
}

/** The reference to the message that is replied to; undefined if it is not a reply. */
export function tlReply(row: MessageRow): TlObject | undefined {
  return row.replyTo === undefined ? undefined : { _: 'messageReplyHeader', reply_to_msg_id: row.replyTo };
}

/** The media of a message or story as one viewer sees them. */
export function tlMedia(world: World, viewer: number, media: MediaRow): TlObject {
  if (media.kind === 'other') return media.tl;
  const file = world.tables.files.get(media.file);
  if (media.kind === 'photo') {
    return { _: 'messageMediaPhoto', photo: file ? tlPhoto(world, viewer, file) : undefined };
  }
  return {
    _: 'messageMediaDocument',
    video: media.video ?? false,
    round: media.round ?? false,
    voice: media.voice ?? false,
    document: file ? tlDocument(world, viewer, file) : undefined,
  };
}

/** A changed photo is stored by its ID only: access hash and file reference depend on the viewer. */
function tlAction(world: World, viewer: number, action: TlObject): TlObject {
  const photo =
    action._ === 'messageActionChatEditPhoto' ? world.tables.files.get(String(action['photo'].id)) : undefined;
  return photo ? { ...action, photo: tlPhoto(world, viewer, photo) } : action;
}

function needsSender(row: MessageRow, viewer: number): boolean {
  return row.peer.kind !== 'user' || row.from === viewer;
}
