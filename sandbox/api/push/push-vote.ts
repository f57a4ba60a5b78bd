import { isBot } from '../../world/bots/bot-updates.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { PollRow } from '../../world/state/poll-rows.ts';
import type { World } from '../../world/world.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { pushBotUpdate } from './push-bot-update.ts';
import { pushPoll } from './push-poll.ts';

/** Shows a vote: the results to all who see the poll, and to a bot that has made it who voted for what, unless it is anonymous. */
export function pushVote(world: World, voter: number, poll: PollRow, exceptSession?: bigint): void {
  pushPoll(world, poll, exceptSession);
  if (!poll.publicVoters || !isBot(world, poll.author) || poll.author === voter) return;
  const { answers } = poll.votes[String(voter)] ?? { answers: [] };
  const update = {
    _: 'updateMessagePollVote',
    poll_id: BigInt(poll.id),
    peer: tlPeer(userPeer(voter)),
    options: answers.flatMap((index) => poll.answers[index]?.option ?? []),
    positions: answers,
  };
  pushBotUpdate(world, poll.author, update, [userPeer(voter)]);
}
