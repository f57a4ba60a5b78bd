import { RpcError, type TlObject } from '../../rpc.ts';
import { readHistory } from '../../world/messages/read-history.ts';
import type { UpdateRow } from '../../world/state/message-rows.ts';
import { channelPeer, type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { tlAffectedMessages } from '../objects/tl-affected-messages.ts';
import { pushChannelRead } from '../push/push-channel-read.ts';
import { pushUpdates } from '../push/push-updates.ts';

const readHistoryMethod: Method = (params, caller) => {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  if (peer.kind === 'channel') throw new RpcError(400, 'PEER_ID_INVALID');
  const rows = readAndPush(caller, peer, params['max_id'] as number);
  return tlAffectedMessages(caller.world, peerKey(userPeer(caller.me.id)), rows);
};

const readChannelHistory: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  readAndPush(caller, channelPeer(chat.id), params['max_id'] as number);
  return true;
};

function readAndPush({ world, me, call }: Caller, peer: PeerRef, maxId: number): UpdateRow[] {
  const { updates, changed, readBySender } = readHistory(world, me.id, peer, maxId);
  pushUpdates(world, updates, call.sessionId);
  if (peer.kind === 'channel' && changed) pushChannelRead(world, me.id, peer, readBySender, call.sessionId);
  return updates;
}

export const readMethods: Record<string, Method> = {
  'messages.readHistory': readHistoryMethod,
  'channels.readHistory': readChannelHistory,
};
