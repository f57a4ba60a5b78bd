import { RpcError, type TlObject } from '../../../rpc.ts';
import { knownReaction, rememberReactions } from '../../../world/reactions/available-reactions.ts';
import { giveReaction, reactionsTo, readReactions, requireMessage } from '../../../world/reactions/give-reaction.ts';
import type { MessageRow } from '../../../world/state/message-rows.ts';
import { boxOf, userPeer } from '../../../world/state/peer.ts';
import type { World } from '../../../world/world.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { canSeeReactors, tlAllReactions, tlPeerReactions } from '../../objects/messages/tl-reactions.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdates } from '../../objects/tl-update.ts';
import { pushEvent } from '../../push/push-event.ts';
import { pushReactions } from '../../push/push-reactions.ts';

const maxListed = 100;

/** The key of a reaction in the tables. @throws {RpcError} 400 REACTION_INVALID, REACTION_EMPTY, DOCUMENT_INVALID */
export function reactionKey(world: World, input: TlObject): string {
  if (input._ === 'reactionEmoji') {
    const key = knownReaction(input['emoticon'] as string);
    if (key === undefined) throw new RpcError(400, 'REACTION_INVALID');
    return key;
  }
  if (input._ === 'reactionCustomEmoji') {
    if (!world.tables.files.get(String(input['document_id']))) throw new RpcError(400, 'DOCUMENT_INVALID');
    return `custom:${input['document_id']}`;
  }
  throw new RpcError(400, input._ === 'reactionEmpty' ? 'REACTION_EMPTY' : 'REACTION_INVALID');
}

const sendReaction: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const keys = ((params['reaction'] ?? []) as TlObject[]).map((input) => reactionKey(world, input));
  const id = params['msg_id'] as number;
  const change = giveReaction(world, me.id, { peer, id, keys, big: params['big'] === true });
  pushReactions(world, change, call.sessionId);
  if (params['add_to_recent'] === true && keys.length > 0) {
    rememberReactions(world, me.id, keys);
    pushEvent(world, me.id, { _: 'updateRecentReactions' }, []);
  }
  return tlReactionUpdates(caller, [change.message]);
};

function tlReactionUpdates({ world, me }: Caller, messages: readonly MessageRow[]): TlObject {
  const updates = messages.map((row) => ({
    _: 'updateMessageReactions',
    peer: tlPeer(row.peer),
    msg_id: row.id,
    reactions: tlAllReactions(world, me.id, row),
  }));
  return tlUpdates(world, updates, new MentionedPeers(world, me.id).addMessages(messages).lists());
}

const getMessagesReactions: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const rows = (params['id'] as number[]).flatMap((id) => world.tables.message(boxOf(me.id, peer), id) ?? []);
  return tlReactionUpdates(
    caller,
    rows.filter((row) => reactionsTo(world, row).length > 0),
  );
};

const getMessageReactionsList: Method = (params, caller) => {
  const { world, me } = caller;
  const message = requireMessage(world, me.id, inputPeer(caller, params['peer'] as TlObject), params['id'] as number);
  if (!canSeeReactors(world, message)) throw new RpcError(403, 'BROADCAST_FORBIDDEN');
  const wanted = params['reaction'] && reactionKey(world, params['reaction'] as TlObject);
  const all = reactionsTo(world, message)
    .filter(({ keys }) => wanted === undefined || keys.includes(wanted))
    .toReversed();
  const start = Number(params['offset'] ?? 0) || 0;
  const end = start + Math.min(Math.max(1, params['limit'] as number), maxListed);
  const page = all.slice(start, end);
  return {
    _: 'messages.messageReactionsList',
    count: all.length,
    reactions: page.flatMap((given) => tlPeerReactions(me.id, message, given)),
    ...new MentionedPeers(world, me.id).add(...page.map(({ user }) => userPeer(user))).lists(),
    next_offset: end < all.length ? String(end) : undefined,
  };
};

/** The other devices of the author see that the reactions were read. */
const readReactionsMethod: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  for (const message of readReactions(world, me.id, peer)) {
    pushEvent(world, me.id, { _: 'updateMessageReactions', msg_id: message.id }, [message.peer], call.sessionId);
  }
  return { _: 'messages.affectedHistory', pts: world.tables.box(boxOf(me.id, peer)).pts, pts_count: 0, offset: 0 };
};

export const reactionMethods: Record<string, Method> = {
  'messages.sendReaction': sendReaction,
  'messages.getMessagesReactions': getMessagesReactions,
  'messages.getMessageReactionsList': getMessageReactionsList,
  'messages.readReactions': readReactionsMethod,
};
