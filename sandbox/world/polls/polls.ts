import { RpcError } from '../../rpc.ts';
import type { MediaRow } from '../state/file-rows.ts';
import type { MessageRow } from '../state/message-rows.ts';
import type { PeerRef } from '../state/peer.ts';
import { peerKey } from '../state/peer.ts';
import type { PollRow } from '../state/poll-rows.ts';
import type { World } from '../world.ts';

/** Telegram's IDs of polls have 19 digits. */
const firstPollId = 5_400_000_000_000_000_000n;

/** Adds a poll without votes. */
export function addPoll(world: World, poll: Omit<PollRow, 'id' | 'votes' | 'twins'>): PollRow {
  const value = (world.tables.meta.get('lastPoll')?.value ?? 0) + 1;
  world.tables.meta.put({ name: 'lastPoll', value });
  return world.tables.polls.put({ ...poll, id: String(firstPollId + BigInt(value)), votes: {}, twins: [] });
}

/** The poll of a message. @throws {RpcError} 400 MESSAGE_ID_INVALID */
export function requirePoll(world: World, message: MessageRow): PollRow {
  const poll = message.media?.kind === 'poll' ? world.tables.polls.get(message.media.poll) : undefined;
  if (!poll) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  return poll;
}

/**
 * People get polls in groups and channels only; bots and oneself also in private.
 * @throws {RpcError} 400 MEDIA_INVALID, BROADCAST_PUBLIC_VOTERS_FORBIDDEN
 */
export function requirePollAllowed(world: World, from: number, peer: PeerRef, publicVoters: boolean): void {
  if (peer.kind === 'user') {
    const isWithBot = [peer.id, from].some((id) => world.tables.users.get(id)?.bot);
    if (peer.id !== from && !isWithBot) throw new RpcError(400, 'MEDIA_INVALID');
    return;
  }
  const isBroadcast = peer.kind === 'channel' && !world.tables.chats.get(peerKey(peer))?.megagroup;
  if (isBroadcast && publicVoters) throw new RpcError(400, 'BROADCAST_PUBLIC_VOTERS_FORBIDDEN');
}

/** The poll is shown by one more message. A poll without an author is its first sender's. */
export function notePollMessage(world: World, from: number, media: MediaRow | undefined, twin: string): void {
  const poll = media?.kind === 'poll' ? world.tables.polls.get(media.poll) : undefined;
  if (poll) world.tables.polls.put({ ...poll, author: poll.author || from, twins: [...poll.twins, twin] });
}

export const isOpen = (world: World, poll: PollRow): boolean =>
  !poll.closed && (poll.closeDate === undefined || poll.closeDate > world.now());

/**
 * Votes for answers, by their options; none takes the vote back.
 * @throws {RpcError} 400 MESSAGE_POLL_CLOSED, OPTION_INVALID, OPTIONS_TOO_MUCH, REVOTE_NOT_ALLOWED
 */
export function vote(world: World, userId: number, poll: PollRow, options: readonly Buffer[]): PollRow {
  if (!isOpen(world, poll)) throw new RpcError(400, 'MESSAGE_POLL_CLOSED');
  const answers = [...new Set(options.map((option) => answerWith(poll, option)))].toSorted((a, b) => a - b);
  if (answers.length > 1 && !poll.multipleChoice) throw new RpcError(400, 'OPTIONS_TOO_MUCH');
  if (poll.correct && poll.votes[String(userId)]) throw new RpcError(400, 'REVOTE_NOT_ALLOWED');
  const { [String(userId)]: _before, ...others } = poll.votes;
  const votes = answers.length > 0 ? { ...others, [String(userId)]: { answers, date: world.now() } } : others;
  return world.tables.polls.put({ ...poll, votes });
}

/** The index of the answer with this option. @throws {RpcError} 400 OPTION_INVALID */
export function answerWith(poll: PollRow, option: Buffer): number {
  const index = poll.answers.findIndex((answer) => answer.option.equals(option));
  if (index < 0) throw new RpcError(400, 'OPTION_INVALID');
  return index;
}

/** Closes polls whose time is over, and returns them. */
export function closeDuePolls(world: World): PollRow[] {
  const due = [...world.tables.polls.values()].filter((poll) => !poll.closed && !isOpen(world, poll));
  return due.map((poll) => world.tables.polls.put({ ...poll, closed: true }));
}

/** @throws {RpcError} 403 MESSAGE_AUTHOR_REQUIRED, 400 MESSAGE_NOT_MODIFIED */
export function closePoll(world: World, userId: number, poll: PollRow): PollRow {
  if (poll.author !== userId) throw new RpcError(403, 'MESSAGE_AUTHOR_REQUIRED');
  if (poll.closed) throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  return world.tables.polls.put({ ...poll, closed: true });
}
