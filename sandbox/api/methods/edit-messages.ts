import { RpcError, type TlObject } from '../../rpc.ts';
import { deleteFromBox, deleteFromChannel } from '../../world/delete-messages.ts';
import { editMessage } from '../../world/edit-message.ts';
import { readHistory } from '../../world/read-history.ts';
import { maxTextLength } from '../../world/rich-text.ts';
import { showTyping } from '../../world/show-typing.ts';
import { channelPeer, type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import type { UpdateRow } from '../../world/state/rows.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { messagesOf, tlUpdate, tlUpdates } from '../objects/tl-update.ts';
import { pushChannelRead, pushTyping } from '../push/push-typing.ts';
import { pushUpdates } from '../push/push-updates.ts';
import { inputText } from './send-messages.ts';

const editMessageVerb: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  if (params['message'] === undefined) throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  const rich = inputText(caller, params);
  if (rich.text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  const rows = editMessage(world, me.id, peer, params['id'] as number, rich);
  pushUpdates(world, rows, call.sessionId);
  const own = rows.find(({ box }) => box === (peer.kind === 'channel' ? peerKey(peer) : peerKey(userPeer(me.id))));
  const update = own && tlUpdate(world, me.id, own);
  const people = new MentionedPeers(world, me.id).addMessages(own ? messagesOf(world, own) : []);
  return tlUpdates(world, update ? [update] : [], people.lists());
};

const deleteMessages: Method = (params, { world, me, call }) => {
  const rows = deleteFromBox(
    world,
    me.id,
    params['id'] as number[],
    (params['revoke'] as boolean | undefined) ?? false,
  );
  pushUpdates(world, rows, call.sessionId);
  return affected(world.tables.box(peerKey(userPeer(me.id))).pts, rows, peerKey(userPeer(me.id)));
};

const deleteChannelMessages: Method = (params, caller) => {
  const { world, me, call } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const rows = deleteFromChannel(world, me.id, chat, params['id'] as number[]);
  pushUpdates(world, rows, call.sessionId);
  const box = peerKey(channelPeer(chat.id));
  return affected(world.tables.box(box).pts, rows, box);
};

function affected(pts: number, rows: readonly UpdateRow[], box: string): TlObject {
  const own = rows.find((row) => row.box === box);
  return { _: 'messages.affectedMessages', pts: own?.pts ?? pts, pts_count: own?.count ?? 0 };
}

const readHistoryVerb: Method = (params, caller) => {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  if (peer.kind === 'channel') throw new RpcError(400, 'PEER_ID_INVALID');
  const rows = read(caller, peer, params['max_id'] as number);
  const box = peerKey(userPeer(caller.me.id));
  return affected(caller.world.tables.box(box).pts, rows, box);
};

const readChannelHistory: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  read(caller, channelPeer(chat.id), params['max_id'] as number);
  return true;
};

function read({ world, me, call }: Caller, peer: PeerRef, maxId: number): UpdateRow[] {
  const done = readHistory(world, me.id, peer, maxId);
  pushUpdates(world, done.updates, call.sessionId);
  if (peer.kind === 'channel' && done.changed) pushChannelRead(world, me.id, peer, done.channelOutbox, call.sessionId);
  return done.updates;
}

const setTyping: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const shown = showTyping(world, me.id, peer, params['action'] as TlObject);
  pushTyping(world, me.id, peer, params['action'] as TlObject, shown, call.sessionId);
  return true;
};

export const changeMethods: Record<string, Method> = {
  'messages.editMessage': editMessageVerb,
  'messages.deleteMessages': deleteMessages,
  'messages.readHistory': readHistoryVerb,
  'messages.setTyping': setTyping,
  'channels.deleteMessages': deleteChannelMessages,
  'channels.readHistory': readChannelHistory,
};
