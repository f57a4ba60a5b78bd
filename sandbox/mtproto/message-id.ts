/** https://core.telegram.org/mtproto/description#message-identifier-msg-id: seconds in the upper half, parts below. */
export type MessageIds = (kind: 'answer' | 'notice') => bigint;

/** Ids of the server's messages: they grow by the clock, are never the same, and say in 2 bits what the message is. */
export function createMessageIds(now: () => number): MessageIds {
  let last = 0n;
  return (kind) => {
    const milliseconds = now();
    const seconds = Math.floor(milliseconds / 1000);
    const parts = Math.floor((milliseconds - seconds * 1000) * (2 ** 32 / 1000));
    const byClock = ((BigInt(seconds) << 32n) | BigInt(parts)) & ~3n;
    last = byClock > last ? byClock : last + 4n;
    return last | (kind === 'answer' ? 1n : 3n);
  };
}

const MAX_AGE_S = 300;
const MAX_AHEAD_S = 30;

/** The error code of `bad_msg_notification` that a client's message id deserves. */
export function faultOfMessageId(id: bigint, nowMs: number): 16 | 17 | 18 | undefined {
  if ((id & 3n) !== 0n) return 18;
  const ageSeconds = nowMs / 1000 - Number(id >> 32n);
  if (ageSeconds > MAX_AGE_S) return 16;
  return ageSeconds < -MAX_AHEAD_S ? 17 : undefined;
}
