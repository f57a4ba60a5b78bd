import type { UserRow } from '../world/state/rows.ts';

/** First and last name. */
export function displayName(user: UserRow): string {
  return [user.firstName, user.lastName].filter(Boolean).join(' ');
}
