/** https://core.telegram.org/mtproto/description#message-identifier-msg-id: seconds, then 32 bits of their fraction. */
export type NextMessageId = (kind: 'answer' | 'notice') => bigint;

/**
 * Makes the IDs of the server's messages. They follow the clock and never repeat; the lowest 2 bits say whether the
 * message answers one of the client's.
 */
export function createMessageIds(now: () => number): NextMessageId {
  let last = 0n;
  return (kind) => {
    const milliseconds = now();
    const seconds = Math.floor(milliseconds / 1000);
    const fraction = Math.floor((milliseconds - seconds * 1000) * (2 ** 32 / 1000));
    const byClock = ((BigInt(seconds) << 32n) | BigInt(fraction)) & ~3n;
    last = byClock > last ? byClock : last + 4n;
    return last | (kind === 'answer' ? 1n : 3n);
  };
}

const MAX_AGE_S = 300;
const MAX_AHEAD_S = 30;

/** The error code of `bad_msg_notification` for a client's message ID; undefined if the ID is good. */
export function messageIdError(id: bigint, nowMs: number): 16 | 17 | 18 | undefined {
  if ((id & 3n) !== 0n) return 18;
  const ageSeconds = nowMs / 1000 - Number(id >> 32n);
  if (ageSeconds > MAX_AGE_S) return 16;
  return ageSeconds < -MAX_AHEAD_S ? 17 : undefined;
}
