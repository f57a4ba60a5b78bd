import { RpcError, type TlObject } from '../../rpc.ts';
import { deleteFromBox, deleteFromChannel } from '../../world/messages/delete-messages.ts';
import { editMessage } from '../../world/messages/edit-message.ts';
import { maxTextLength } from '../../world/messages/rich-text.ts';
import { boxOf, channelPeer, peerKey, userPeer } from '../../world/state/peer.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import { inputText } from '../input/input-text.ts';
import type { Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlAffectedMessages } from '../objects/tl-affected-messages.ts';
import { messagesOf, tlUpdate, tlUpdates } from '../objects/tl-update.ts';
import { pushUpdates } from '../push/push-updates.ts';

const editMessageMethod: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  if (params['message'] === undefined) throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  const rows = editMessage(world, me.id, peer, params['id'] as number, rich);
  pushUpdates(world, rows, call.sessionId);
  const own = rows.find(({ box }) => box === boxOf(me.id, peer));
  const update = own && tlUpdate(world, me.id, own);
  const mentioned = new MentionedPeers(world, me.id).addMessages(own ? messagesOf(world, own) : []);
  return tlUpdates(world, update ? [update] : [], mentioned.lists());
};

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
