import { RpcError, type TlObject } from '../../rpc.ts';
import { dialogOf } from '../../world/dialogs.ts';
import { maxCaptionLength, maxTextLength, type RichText } from '../../world/rich-text.ts';
import { requireSendPermission, type SentMessage, sendMessage } from '../../world/send-message.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import type { UpdateRow } from '../../world/state/rows.ts';
import { inputMedia } from '../input/input-media.ts';
import { inputPeer } from '../input/input-peer.ts';
import { inputText } from '../input/input-text.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlUpdate, tlUpdates } from '../objects/tl-update.ts';
import { pushUpdates } from '../push/push-updates.ts';

const sendMessageMethod: Method = (params, caller) => {
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text === '') throw new RpcError(400, 'MESSAGE_EMPTY');
  if (rich.text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  return send(params, caller, rich, undefined);
};

/** Permissions are checked before the media: an upload is processed only if it can be sent. */
const sendMediaMethod: Method = async (params, caller) => {
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text.length > maxCaptionLength) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
  requireSendPermission(caller.world, caller.me.id, inputPeer(caller, params['peer'] as TlObject), params['random_id']);
  const media = await inputMedia(caller, params['media'] as TlObject);
  return send(params, caller, rich, media);
};

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
