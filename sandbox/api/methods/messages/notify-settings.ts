import { RpcError, type TlObject } from '../../../rpc.ts';
import {
  changeNotifySettings,
  type NotifyScope,
  notifyExceptions,
  notifySettings,
  resetNotifySettings,
} from '../../../world/settings/notify-settings.ts';
import type { PeerRef } from '../../../world/state/peer.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdates } from '../../objects/tl-update.ts';
import { pushEvent } from '../../push/push-event.ts';

/** @throws {RpcError} 400 PEER_ID_INVALID */
function notifyScope(caller: Caller, input: TlObject): NotifyScope {
  switch (input._) {
    case 'inputNotifyUsers':
      return 'users';
    case 'inputNotifyChats':
      return 'chats';
    case 'inputNotifyBroadcasts':
      return 'broadcasts';
    case 'inputNotifyPeer':
      return { peer: inputPeer(caller, input['peer'] as TlObject) };
    case 'inputNotifyForumTopic':
      return { peer: inputPeer(caller, input['peer'] as TlObject), topic: input['top_msg_id'] as number };
    default:
      throw new RpcError(400, 'PEER_ID_INVALID');
  }
}

function tlNotifyPeer(scope: NotifyScope): TlObject {
  if (typeof scope === 'string') return { _: `notify${scope[0]?.toUpperCase()}${scope.slice(1)}` };
  return scope.topic === undefined
    ? { _: 'notifyPeer', peer: tlPeer(scope.peer) }
    : { _: 'notifyForumTopic', peer: tlPeer(scope.peer), top_msg_id: scope.topic };
}

const peersOf = (scope: NotifyScope): PeerRef[] => (typeof scope === 'string' ? [] : [scope.peer]);

const tlUpdate = (scope: NotifyScope, notify_settings: TlObject): TlObject => ({
  _: 'updateNotifySettings',
  peer: tlNotifyPeer(scope),
  notify_settings,
});

const getNotifySettings: Method = (params, caller) =>
  notifySettings(caller.world, caller.me.id, notifyScope(caller, params['peer'] as TlObject));

const updateNotifySettings: Method = (params, caller) => {
  const { world, me, call } = caller;
  const scope = notifyScope(caller, params['peer'] as TlObject);
  const settings = changeNotifySettings(world, me.id, scope, params['settings'] as TlObject);
  pushEvent(world, me.id, tlUpdate(scope, settings), peersOf(scope), call.sessionId);
  return true;
};

const resetAll: Method = (_params, { world, me }) => {
  resetNotifySettings(world, me.id);
  return true;
};

const getNotifyExceptions: Method = (_params, { world, me }) => {
  const peers = notifyExceptions(world, me.id);
  const updates = peers.map((peer) => tlUpdate({ peer }, notifySettings(world, me.id, { peer })));
  return tlUpdates(world, updates, new MentionedPeers(world, me.id).add(...peers).lists());
};

export const notifySettingMethods: Record<string, Method> = {
  'account.getNotifySettings': getNotifySettings,
  'account.updateNotifySettings': updateNotifySettings,
  'account.resetNotifySettings': resetAll,
  'account.getNotifyExceptions': getNotifyExceptions,
};
