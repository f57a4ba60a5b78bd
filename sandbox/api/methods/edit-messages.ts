import { RpcError, type TlObject } from '../../rpc.ts';
import { deleteFromBox, deleteFromChannel } from '../../world/messages/delete-messages.ts';
import { editMessage, type MessageEdit, requireEditable } from '../../world/messages/edit-message.ts';
import { maxCaptionLength, maxTextLength } from '../../world/messages/rich-text.ts';
import { closePoll, requirePoll } from '../../world/polls/polls.ts';
import { requireMessage } from '../../world/reactions/give-reaction.ts';
import { channelPeer, type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import { inputMarkup } from '../input/input-markup.ts';
import { inputMedia } from '../input/input-media.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import { inputText } from '../input/input-text.ts';
import type { Caller, Method } from '../method.ts';
import { tlAffectedMessages } from '../objects/tl-affected-messages.ts';
import { pushPoll } from '../push/push-poll.ts';
import { pushUpdates } from '../push/push-updates.ts';
import { tlOwnUpdates } from './messages/own-updates.ts';
import { tlPollUpdates } from './messages/polls.ts';
import { editScheduled } from './messages/scheduled.ts';

const editMessageMethod: Method = (params, caller) => {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const media = params['media'] as TlObject | undefined;
  if (params['schedule_date'] !== undefined) return editScheduled(params, caller, peer);
  if (media?._ === 'inputMediaPoll' && media['poll'].closed) return closePollOf(caller, peer, params['id'] as number);
  const id = params['id'] as number;
  const message = requireEditable(caller.world, caller.me.id, peer, id);
  const rich = params['message'] === undefined ? undefined : inputText(caller, params['message'], params['entities']);
  const length = rich?.text.length ?? 0;
  if (length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  const hasCaption = media !== undefined || (message.media !== undefined && message.media.kind !== 'other');
  if (hasCaption && length > maxCaptionLength) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
  const markup = inputMarkup(caller, params['reply_markup'] as TlObject | undefined);
  // Synchronous without media: the calls of one packet are then answered in order.
  return media ? editMedia(caller, peer, id, media, { rich, markup }) : edit(caller, peer, id, { rich, markup });
};

async function editMedia(
  caller: Caller,
  peer: PeerRef,
  id: number,
  input: TlObject,
  change: MessageEdit,
): Promise<TlObject> {
  return edit(caller, peer, id, { ...change, media: await inputMedia(caller, input) });
}

function edit(caller: Caller, peer: PeerRef, id: number, change: MessageEdit): TlObject {
  const { world, me, call } = caller;
  const rows = editMessage(world, me.id, peer, id, change);
  pushUpdates(world, rows, call.sessionId);
  return tlOwnUpdates(caller, peer, rows);
}

/** Its author ends a poll by editing it to a closed one. */
function closePollOf(caller: Caller, peer: PeerRef, id: number): TlObject {
  const { world, me, call } = caller;
  const poll = closePoll(world, me.id, requirePoll(world, requireMessage(world, me.id, peer, id)));
  pushPoll(world, poll, call.sessionId);
  return tlPollUpdates(caller, peer, poll);
}

const deleteMessages: Method = (params, { world, me, call }) => {
  const forAll = (params['revoke'] as boolean | undefined) ?? false;
  const rows = deleteFromBox(world, me.id, params['id'] as number[], forAll);
  pushUpdates(world, rows, call.sessionId);
  return tlAffectedMessages(world, peerKey(userPeer(me.id)), rows);
};

const deleteChannelMessages: Method = (params, caller) => {
  const { world, me, call } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const rows = deleteFromChannel(world, me.id, chat, params['id'] as number[]);
  pushUpdates(world, rows, call.sessionId);
  return tlAffectedMessages(world, peerKey(channelPeer(chat.id)), rows);
};

export const editMethods: Record<string, Method> = {
  'messages.editMessage': editMessageMethod,
  'messages.deleteMessages': deleteMessages,
  'channels.deleteMessages': deleteChannelMessages,
};
