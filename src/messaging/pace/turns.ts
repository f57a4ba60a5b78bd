import type { Pace } from '../../../actors/session/session-settings.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Turns of sends within the pace of an account (OS7). All times are those of one clock that is never set. Pure. */

const minuteMs = 60_000;
export const dayMs = 24 * 60 * 60_000;
/** Both ends of a window count. */
const afterMs = 1;

/** Messages that had their turn. */
export interface Taken {
  messages: number;
  /** When Telegram had answered; undefined: they are under way. */
  endedAt: number | undefined;
}

/** A send that waits. */
export interface Waiting {
  messages: number;
  /** Whether its chat is a new one. */
  isNew: boolean;
}

/** When messages that ended at this time count in no minute any more. */
export const minuteAfter = (time: number): number => time + minuteMs + afterMs;
/** When a chat that was new at this time counts in no day any more. */
export const dayAfter = (time: number): number => time + dayMs + afterMs;

/**
 * When each of the waiting sends, one after the other, has its turn at the earliest: with its messages no minute has more
 * than `perMinute`, and no day more than `newChatsPerDay` chats. What is under way counts as if it ended now.
 * @param chats when the new chats of the last day were first written to, the oldest first
 */
export function turnsOf(
  { perMinute, newChatsPerDay }: Pace,
  taken: readonly Taken[],
  chats: readonly number[],
  waiting: readonly Waiting[],
  now: number,
): number[] {
  const times = taken
    .flatMap(({ messages, endedAt = now }) => Array.from({ length: messages }, () => endedAt))
    .toSorted((one, other) => one - other);
  const begun = [...chats];
  let last = now;
  return waiting.map(({ messages, isNew }) => {
    let turn = last;
    if (perMinute !== undefined) {
      const leaving = times[times.length - perMinute + messages - 1];
      turn = Math.max(turn, minuteAfter(leaving ?? -Infinity));
      last = turn;
    }
    if (isNew && newChatsPerDay !== undefined) {
      const leaving = begun[begun.length - newChatsPerDay];
      turn = Math.max(turn, dayAfter(leaving ?? -Infinity));
      begun.push(turn);
    }
    for (let message = 0; message < messages; message++) times.push(turn);
    // A send that waits for its day does not hold up those behind it.
    if (turn > last) times.sort((one, other) => one - other);
    return turn;
  });
}

/** @throws {GatewayError} 400: a minute has fewer turns than one send takes */
export function requireFit({ messages }: Pick<Waiting, 'messages'>, { perMinute = Infinity }: Pace = {}): void {
  if (messages > perMinute)
    throw new GatewayError(400, `the pace allows ${perMinute} messages a minute: these are ${messages}`);
}
