import type { RecordedLinkEvent } from './link-codec.ts';
import type { LinkIssued } from './link-events.ts';

/** A customer's link as the log has it. */
export interface CustomerLink extends LinkIssued {
  /** When it was made, milliseconds since 1970. */
  created: number;
  /** Who made it: `owner`, or the name of a key. */
  by: string;
  /** The session that it showed last. */
  sessionId?: string;
  /** How many sessions it has made. */
  sessionsMade: number;
  /** How it ended before its time, and when. */
  end?: { how: 'used' | 'withdrawn'; at: number };
  /** Of the last event of its stream. */
  revision: number;
}

export const linkStates = ['open', 'used', 'withdrawn', 'expired'] as const;
export type LinkState = (typeof linkStates)[number];

/** OS5 */
export const maxSessionsOfLink = 10;

/** @param now milliseconds since 1970 */
export function stateOfLink({ end, expires }: Pick<CustomerLink, 'end' | 'expires'>, now: number): LinkState {
  return end?.how ?? (expires <= now ? 'expired' : 'open');
}

/** When a link ended or will end, milliseconds since 1970. */
export const endOfLink = ({ end, expires }: Pick<CustomerLink, 'end' | 'expires'>): number => end?.at ?? expires;

/** What a link is after an event of its stream. Undefined if its beginning cannot be read. */
export function evolveLink(before: CustomerLink | undefined, event: RecordedLinkEvent): CustomerLink | undefined {
  const { at, author } = event.metadata;
  const { revision } = event;
  if (event.type === 'LinkIssued') return { ...event.data, created: at, by: author, sessionsMade: 0, revision };
  if (before === undefined) return undefined;
  switch (event.type) {
    case 'LinkOpened': {
      const { sessionId, isNew } = event.data;
      return { ...before, sessionId, sessionsMade: before.sessionsMade + (isNew ? 1 : 0), revision };
    }
    case 'LinkUsed':
      return { ...before, sessionId: event.data.sessionId, end: before.end ?? { how: 'used', at }, revision };
    case 'LinkWithdrawn':
      return { ...before, end: before.end ?? { how: 'withdrawn', at }, revision };
  }
}
