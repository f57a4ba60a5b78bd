import type { TlObject } from '../../../rpc.ts';
import { isOpen } from '../../../world/polls/polls.ts';
import { userPeer } from '../../../world/state/peer.ts';
import type { PollRow } from '../../../world/state/poll-rows.ts';
import type { World } from '../../../world/world.ts';
import { tlPeer } from '../tl-peer.ts';

/** Of a poll with public voters, messages name the latest few. */
const maxRecentVoters = 3;

function tlPoll(world: World, viewer: number, poll: PollRow): TlObject {
  return {
    _: 'poll',
    id: BigInt(poll.id),
    closed: !isOpen(world, poll),
    public_voters: poll.publicVoters ?? false,
    multiple_choice: poll.multipleChoice ?? false,
    quiz: poll.correct !== undefined,
    creator: poll.author === viewer,
    question: poll.question,
    answers: poll.answers.map(({ text, option }) => ({ _: 'pollAnswer', text, option })),
    close_period: poll.closePeriod,
    close_date: poll.closeDate,
  };
}

/** The results as one viewer sees them: who has not voted gets no counts before the end. */
function tlPollResults(world: World, viewer: number, poll: PollRow): TlObject {
  const own = poll.votes[String(viewer)]?.answers;
  const votes = Object.entries(poll.votes);
  const isShown = own !== undefined || !isOpen(world, poll);
  const recent = votes.toSorted(([, a], [, b]) => b.date - a.date).slice(0, maxRecentVoters);
  return {
    _: 'pollResults',
    results: isShown ? poll.answers.map((_answer, index) => tlAnswerVoters(poll, index, own)) : undefined,
    total_voters: votes.length,
    recent_voters: poll.publicVoters ? recent.map(([id]) => tlPeer(userPeer(Number(id)))) : undefined,
    solution: isShown ? poll.solution : undefined,
    solution_entities: isShown ? poll.solutionEntities : undefined,
  };
}

function tlAnswerVoters(poll: PollRow, index: number, own: readonly number[] | undefined): TlObject {
  return {
    _: 'pollAnswerVoters',
    chosen: own?.includes(index) ?? false,
    correct: poll.correct?.includes(index) ?? false,
    option: poll.answers[index]?.option,
    voters: Object.values(poll.votes).filter(({ answers }) => answers.includes(index)).length,
  };
}

export const tlPollMedia = (world: World, viewer: number, poll: PollRow): TlObject => ({
  _: 'messageMediaPoll',
  poll: tlPoll(world, viewer, poll),
  results: tlPollResults(world, viewer, poll),
});

/** A poll that has changed. Clients expect it whole in the answer to a vote. */
export const tlPollUpdate = (world: World, viewer: number, poll: PollRow): TlObject => ({
  _: 'updateMessagePoll',
  poll_id: BigInt(poll.id),
  poll: tlPoll(world, viewer, poll),
  results: tlPollResults(world, viewer, poll),
});
