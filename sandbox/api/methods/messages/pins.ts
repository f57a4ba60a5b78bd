import type { TlObject } from '../../../rpc.ts';
import { pinMessage, unpinAllMessages } from '../../../world/messages/pin-messages.ts';
import { boxOf } from '../../../world/state/peer.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Method } from '../../method.ts';
import { tlAffectedMessages } from '../../objects/tl-affected-messages.ts';
import { pushUpdates } from '../../push/push-updates.ts';
import { tlOwnUpdates } from './own-updates.ts';

const updatePinnedMessage: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const rows = pinMessage(world, me.id, peer, params['id'] as number, {
    isPinned: params['unpin'] !== true,
    oneSide: params['pm_oneside'] === true,
    silent: params['silent'] === true,
  });
  pushUpdates(world, rows, call.sessionId);
  return tlOwnUpdates(caller, peer, rows);
};

const unpinAll: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const rows = unpinAllMessages(world, me.id, peer);
  pushUpdates(world, rows, call.sessionId);
  return { ...tlAffectedMessages(world, boxOf(me.id, peer), rows), _: 'messages.affectedHistory', offset: 0 };
};

export const pinMethods: Record<string, Method> = {
  'messages.updatePinnedMessage': updatePinnedMessage,
  'messages.unpinAllMessages': unpinAll,
};
