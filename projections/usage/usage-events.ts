/** The prefix of the streams of what was used. */
export const usagePrefix = 'usage-';

/**
 * What one writer records of a day: no other writes to the stream.
 * @param day `2026-11-25`, in UTC
 * @param writer an ID that no other writer has
 */
export const usageStream = (day: string, writer: string): string => `${usagePrefix}${day}.${writer}`;

/** The stream of the sums of a day: what its other streams have, which are erased then. */
export const usageSumStream = (day: string): string => usageStream(day, 'sum');

/** The day of a stream of usage. */
export const dayOfUsage = (stream: string): string => stream.slice(usagePrefix.length).split('.', 1)[0] ?? '';

/** What is counted. Attempts and messages are counted when their outcome is known. */
export const usageCounts = ['sent', 'notSent', 'delivered', 'notDelivered', 'parked', 'waits', 'mediaBytes'] as const;
export type UsageCount = (typeof usageCounts)[number];

/** Numbers by their name; those that are 0 are left out. */
export type UsageCounts = { [Name in UsageCount]?: number };

/** Who used it. */
interface UsageOwner {
  session: string;
  /** The session's tenant; left out if it has none. */
  tenant?: string;
  /** ID of the key; left out if there was none. */
  key?: string;
}

/** What one session did through one key. */
export type UsageRow = UsageOwner & UsageCounts;

/** What happened since the event before, up to a second. */
export interface UsageRecorded {
  rows: UsageRow[];
}

/** All that was used on a day, in one event or several: rows of earlier events of that day count no more. */
export interface UsageSummed extends UsageRecorded {
  /** `2026-11-25`, in UTC. */
  day: string;
}

/** The metadata of every event of usage. */
export interface UsageMetadata {
  /** When, milliseconds since 1970. */
  at: number;
  /** Which node counted. */
  by: string;
}
