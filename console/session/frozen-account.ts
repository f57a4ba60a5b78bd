import type { AuditEntry } from '../api/types.ts';

/** Events after which a login is another one, or none. */
const endsLogin = new Set(['LoggedIn', 'LoginImported', 'LoginLost', 'SessionReset']);

/** When Telegram refused a request because it has frozen the account of the present login; undefined if it did not. */
export function frozenAt(events: readonly Pick<AuditEntry, 'type' | 'created'>[]): string | undefined {
  const last = events.findLast(({ type }) => type === 'AccountFrozen' || endsLogin.has(type));
  return last?.type === 'AccountFrozen' ? last.created : undefined;
}
