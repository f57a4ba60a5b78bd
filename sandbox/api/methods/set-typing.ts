import type { TlObject } from '../../rpc.ts';
import { showTyping } from '../../world/show-typing.ts';
import { inputPeer } from '../input/input-peer.ts';
import type { Method } from '../method.ts';
import { pushTyping } from '../push/push-typing.ts';

const setTyping: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const action = params['action'] as TlObject;
  const viewers = showTyping(world, me.id, peer, action);
  pushTyping(world, me.id, peer, action, viewers, call.sessionId);
  return true;
};

export const typingMethods: Record<string, Method> = { 'messages.setTyping': setTyping };
