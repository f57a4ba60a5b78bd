import type { TlObject } from '../../rpc.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import type { ForwardOrigin, MessageRow } from '../../world/state/message-rows.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { tlPollMedia } from './messages/tl-poll.ts';
import { tlReactions } from './messages/tl-reactions.ts';
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
    // Left out in posts of channels, and in incoming messages of private chats, where the peer is the sender.
    from_id: row.from !== undefined && needsSender(row, viewer) ? tlPeer(userPeer(row.from)) : undefined,
    peer_id: tlPeer(row.peer),
    reply_to: tlReply(row),
    date: row.date,
  };
  const reactions = tlReactions(world, viewer, row);
  if (row.action) return { ...common, reactions, action: tlAction(world, viewer, row.action) };
  return {
    ...common,
    reactions,
    pinned: row.pinned ?? false,
    message: row.text,
    media: row.media && tlMedia(world, viewer, row.media),
    entities: row.entities?.length ? row.entities : undefined,
    noforwards: row.noForwards ?? false,
    from_scheduled: row.fromScheduled ?? false,
    fwd_from: row.forwarded && tlForward(row.forwarded),
    reply_markup: row.markup,
    views: row.views,
    forwards: row.views === undefined ? undefined : (row.forwards ?? 0),
    edit_date: row.editDate,
    grouped_id: row.groupedId === undefined ? undefined : BigInt(row.groupedId),
  };
}

/** Whether the viewer has sent the message. */
export function isOut(row: MessageRow, viewer: number): boolean {
  return row.peer.kind === 'channel' ? row.from === viewer : row.out;
}

/** The reference to the message that is replied to; undefined if it is not a reply. */
export function tlReply(row: MessageRow): TlObject | undefined {
  const { replyTo, topic } = row;
  if (topic !== undefined) {
    // In a topic, what replies to no message replies to the one that has opened the topic.
    const reply = { _: 'messageReplyHeader', forum_topic: true, reply_to_msg_id: replyTo ?? topic };
    return replyTo === undefined ? reply : { ...reply, reply_to_top_id: topic };
  }
  return replyTo === undefined ? undefined : { _: 'messageReplyHeader', reply_to_msg_id: replyTo };
}

function tlForward({ from, fromName, date, channelPost, saved }: ForwardOrigin): TlObject {
  return {
    _: 'messageFwdHeader',
    from_id: from && tlPeer(from),
    from_name: fromName,
    date,
    channel_post: channelPost,
    saved_from_peer: saved && tlPeer(saved.peer),
    saved_from_msg_id: saved?.id,
  };
}

/** The media of a message or story as one viewer sees them. */
export function tlMedia(world: World, viewer: number, media: MediaRow): TlObject {
  if (media.kind === 'other') return media.tl;
  if (media.kind === 'poll') {
    const poll = world.tables.polls.get(media.poll);
    return poll ? tlPollMedia(world, viewer, poll) : { _: 'messageMediaEmpty' };
  }
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
  return !row.post && (row.peer.kind !== 'user' || row.from === viewer);
}
