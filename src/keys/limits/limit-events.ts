/** `limit-{keyId}`: the messages that a key with a limit has sent (KY3). Its last event has the count. */
export const limitStream = (keyId: string): string => `limit-${keyId}`;

/** Messages were counted, before Telegram was called for them. */
export interface SendsCounted {
  /** `2026-11-25`, in UTC. */
  day: string;
  /** Of that day, with these. */
  total: number;
}

/** The metadata of every event of a limit. */
export interface LimitMetadata {
  /** When, milliseconds since 1970. */
  at: number;
}
