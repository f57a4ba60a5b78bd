let lastMessageId = 0n;

/** By the clock, `aheadSeconds` beside it; always higher than the one before, unless it is beside it. */
export function clientMessageId(aheadSeconds = 0): bigint {
  const byClock = BigInt(Math.floor(Date.now() / 1000 + aheadSeconds)) << 32n;
  if (aheadSeconds !== 0) return byClock;
  lastMessageId = byClock > lastMessageId ? byClock : lastMessageId + 4n;
  return lastMessageId;
}
