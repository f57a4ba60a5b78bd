import { RpcError, type TlObject } from '../../../rpc.ts';
import { answerWith, requirePoll, vote } from '../../../world/polls/polls.ts';
import { requireMessage } from '../../../world/reactions/give-reaction.ts';
import { type PeerRef, peerKey, userPeer } from '../../../world/state/peer.ts';
import type { PollRow } from '../../../world/state/poll-rows.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlPollUpdate } from '../../objects/messages/tl-poll.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdates } from '../../objects/tl-update.ts';
import { pushVote } from '../../push/push-vote.ts';

const maxVotes = 50;

function pollOf(caller: Caller, params: TlObject, idField = 'msg_id'): { peer: PeerRef; poll: PollRow } {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const message = requireMessage(caller.world, caller.me.id, peer, params[idField] as number);
  return { peer, poll: requirePoll(caller.world, message) };
}

export function tlPollUpdates({ world, me }: Caller, peer: PeerRef, poll: PollRow): TlObject {
  const voters = poll.publicVoters ? Object.keys(poll.votes).map((id) => userPeer(Number(id))) : [];
  const mentioned = new MentionedPeers(world, me.id).add(peer, ...voters);
  return tlUpdates(world, [tlPollUpdate(world, me.id, poll)], mentioned.lists());
}

const sendVote: Method = (params, caller) => {
  const { world, me, call } = caller;
  const { peer, poll } = pollOf(caller, params);
  const voted = vote(world, me.id, poll, params['options'] as Buffer[]);
  pushVote(world, me.id, voted, call.sessionId);
  return tlPollUpdates(caller, peer, voted);
};

const getPollResults: Method = (params, caller) => {
  const { peer, poll } = pollOf(caller, params);
  return tlPollUpdates(caller, peer, poll);
};

/** Who has voted for what, the latest first. @throws {RpcError} 403 BROADCAST_FORBIDDEN, POLL_VOTE_REQUIRED */
const getPollVotes: Method = (params, caller) => {
  const { world, me } = caller;
  const { peer, poll } = pollOf(caller, params, 'id');
  const isGroup = peer.kind !== 'channel' || world.tables.chats.get(peerKey(peer))?.megagroup === true;
  if (!poll.publicVoters || !isGroup) throw new RpcError(403, 'BROADCAST_FORBIDDEN');
  if (!poll.votes[String(me.id)] && !poll.closed) throw new RpcError(403, 'POLL_VOTE_REQUIRED');
  const wanted = params['option'] ? answerWith(poll, params['option'] as Buffer) : undefined;
  const all = Object.entries(poll.votes)
    .filter(([, { answers }]) => wanted === undefined || answers.includes(wanted))
    .toSorted(([, a], [, b]) => b.date - a.date);
  const start = Number(params['offset'] ?? 0) || 0;
  const end = start + Math.min(Math.max(1, params['limit'] as number), maxVotes);
  const page = all.slice(start, end).map(([id, given]) => ({ id: Number(id), ...given }));
  return {
    _: 'messages.votesList',
    count: all.length,
    votes: page.map(({ id, answers, date }) => {
      const voter = { peer: tlPeer(userPeer(id)), date };
      const options = answers.map((index) => poll.answers[index]?.option);
      if (wanted !== undefined) return { _: 'messagePeerVoteInputOption', ...voter };
      return options.length === 1
        ? { _: 'messagePeerVote', ...voter, option: options[0] }
        : { _: 'messagePeerVoteMultiple', ...voter, options };
    }),
    ...new MentionedPeers(world, me.id).add(...page.map(({ id }) => userPeer(id))).lists(),
    next_offset: end < all.length ? String(end) : undefined,
  };
};

export const pollMethods: Record<string, Method> = {
  'messages.sendVote': sendVote,
  'messages.getPollResults': getPollResults,
  'messages.getPollVotes': getPollVotes,
};
