import type { Ownership } from '../../../actors/ports/ownership.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import type { Vault } from '../../store/vault/vault.ts';
import type { Accounts } from '../accounts.ts';

export interface DeletedElsewhereDeps extends Pick<Accounts, 'forgetFiles'> {
  views: Pick<SessionViews, 'get'>;
  ownership: Pick<Ownership, 'owns'>;
  vault: Pick<Vault, 'forgetDeleted'>;
}

/**
 * If the session is deleted, and another process owns it: its key and its files in this process go. To be called after each
 * event of a session.
 */
export function forgetDeletedElsewhere(
  { views, ownership, vault, forgetFiles }: DeletedElsewhereDeps,
  sessionId: string,
): void {
  if (views.get(sessionId)?.ended !== true || ownership.owns(sessionId)) return;
  vault.forgetDeleted(sessionId);
  void forgetFiles(sessionId);
}
