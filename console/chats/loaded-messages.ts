import type { MessageDoc, MessagesPage } from '../api/types.ts';

/** The newest messages of a chat, without a gap. */
export interface LoadedMessages {
  /** Oldest first. */
  messages: readonly MessageDoc[];
  /** What the next older page takes; empty if all are loaded. */
  before: string;
}

const lowestIdOf = (before: string): number => (before === '' ? 0 : Number(before));

/**
 * Takes the newest page: it is all that there is from its lowest ID on, so that deleted messages go. What is older stays,
 * unless messages between the two are missing.
 */
export function withNewest(known: LoadedMessages | undefined, page: MessagesPage): LoadedMessages {
  const newest = page.docs.toReversed();
  const lowestId = lowestIdOf(page.before);
  const lastKnownId = Number(known?.messages.at(-1)?.id ?? 0);
  if (known === undefined || lastKnownId < lowestId) return { messages: newest, before: page.before };
  const older = known.messages.filter(({ id }) => Number(id) < lowestId);
  // Without an older message, the page's own end is where the next page begins.
  return older.length === 0 && lowestIdOf(known.before) >= lowestId
    ? { messages: newest, before: page.before }
    : { messages: [...older, ...newest], before: known.before };
}

/** Takes the page that was requested with `before`; one that no longer fits is left out. */
export function withOlder(known: LoadedMessages, before: string, page: MessagesPage): LoadedMessages {
  if (known.before !== before) return known;
  return { messages: [...page.docs.toReversed(), ...known.messages], before: page.before };
}
