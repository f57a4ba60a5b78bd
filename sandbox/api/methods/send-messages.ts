import { RpcError, type TlObject } from '../../rpc.ts';
import { dialogOf } from '../../world/dialogs.ts';
import { maxCaptionLength, maxTextLength, type RichText } from '../../world/messages/rich-text.ts';
import { requireSendPermission, type SentMessage, sendMessage } from '../../world/messages/send-message.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import type { UpdateRow } from '../../world/state/rows.ts';
import { inputMedia } from '../input/input-media.ts';
import { inputPeer } from '../input/input-peer.ts';
import { inputText } from '../input/input-text.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlMessage } from '../objects/tl-message.ts';
import { tlUpdate, tlUpdates } from '../objects/tl-update.ts';
import { pushUpdates } from '../push/push-updates.ts';

const sendMessageMethod: Method = (params, caller) => {
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text === '') throw new RpcError(400, 'MESSAGE_EMPTY');
  if (rich.text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  return sentBefore(params, caller) ?? send(params, caller, rich, undefined);
};

/** Permissions are checked before the media: an upload is processed only if it can be sent. */
const sendMediaMethod: Method = async (params, caller) => {
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text.length > maxCaptionLength) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
  const before = sentBefore(params, caller);
  if (before) return before;
  requireSendPermission(caller.world, caller.me.id, inputPeer(caller, params['peer'] as TlObject), params['random_id']);
  const media = await inputMedia(caller, params['media'] as TlObject);
  return send(params, caller, rich, media);
};

/**
 * The answer to a repeated `random_id`: the message that it became, in an update that counts nothing. While the first
 * send is under way, or after its message was deleted, the answer is RANDOM_ID_DUPLICATE.
 */
function sentBefore(params: TlObject, caller: Caller): TlObject | undefined {
  const { world, me } = caller;
  const randomId = params['random_id'] as bigint;
  const sent = randomId ? world.tables.findByRandomId(me.id, randomId) : undefined;
  const message = sent && world.tables.message(sent.box, sent.id);
  if (!message) return undefined;
  const kind = message.box.startsWith('channel:') ? 'updateNewChannelMessage' : 'updateNewMessage';
  const { pts } = world.tables.box(message.box);
  const updates = [
    { _: 'updateMessageID', id: message.id, random_id: randomId },
    { _: kind, message: tlMessage(world, me.id, message), pts, pts_count: 0 },
  ];
  return tlUpdates(world, updates, new MentionedPeers(world, me.id).addMessages([message]).lists());
}

function send(params: TlObject, caller: Caller, rich: RichText, media: MediaRow | undefined): TlObject {
  const { world, me, call, login } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const randomId = params['random_id'] as bigint;
  const sent = sendMessage(world, me.id, peer, {
    ...rich,
    media,
    randomId,
    sentBy: login.hash,
    replyTo: params['reply_to']?.reply_to_msg_id ?? params['reply_to_msg_id'],
    silent: params['silent'],
  });
  pushUpdates(world, sent.updates, call.sessionId);
  return peer.kind !== 'channel' && !media ? tlShortSent(sent) : tlSent(caller, sent, randomId);
}

/** Telegram's answer to a text in a private chat or basic group. */
function tlShortSent({ message, updates }: SentMessage): TlObject {
  const own = updates[0] as UpdateRow;
  return {
    _: 'updateShortSentMessage',
    out: true,
    id: message.id,
    pts: own.pts,
    pts_count: own.count,
    date: message.date,
    entities: message.entities?.length ? message.entities : undefined,
  };
}

function tlSent({ world, me }: Caller, { message, updates }: SentMessage, randomId: bigint): TlObject {
  const own = tlUpdate(world, me.id, updates[0] as UpdateRow);
  const list = [{ _: 'updateMessageID', id: message.id, random_id: randomId }, ...(own ? [own] : [])];
  if (message.peer.kind === 'channel') {
    const channel = { channel_id: BigInt(message.peer.id), max_id: message.id };
    list.push({ _: 'updateReadChannelInbox', ...channel, still_unread_count: 0, pts: updates[0]?.pts ?? 0 });
    world.tables.dialogs.put({ ...dialogOf(world, me.id, message.peer), readInbox: message.id });
  }
  return tlUpdates(world, list, new MentionedPeers(world, me.id).addMessages([message]).lists());
}

export const sendMethods: Record<string, Method> = {
  'messages.sendMessage': sendMessageMethod,
  'messages.sendMedia': sendMediaMethod,
};
