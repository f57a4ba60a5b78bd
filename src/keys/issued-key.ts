import type { RecordedKeyEvent } from './key-codec.ts';
import type { KeyIssued } from './key-events.ts';

/** A key as the log has it. */
export interface IssuedKey extends KeyIssued {
  /** When it was issued, milliseconds since 1970. */
  created: number;
  /** Who issued it: `owner`, or the name of a key. */
  by: string;
  /** When it was revoked, milliseconds since 1970. */
  revoked?: number;
}

export const keyStates = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

/** @param now milliseconds since 1970 */
export function stateOfKey({ revoked, expires = Infinity }: IssuedKey, now: number): KeyState {
  if (revoked !== undefined) return 'revoked';
  return expires <= now ? 'expired' : 'active';
}

/** What a key is after an event about it. Undefined if the event says nothing of a key that there is. */
export function evolveKey(before: IssuedKey | undefined, event: RecordedKeyEvent): IssuedKey | undefined {
  const { at, author } = event.metadata;
  if (event.type === 'KeyIssued') return before ?? { ...event.data, created: at, by: author };
  return before && { ...before, revoked: before.revoked ?? at };
}
