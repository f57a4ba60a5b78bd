import type { Ownership } from '../../../actors/ports/ownership.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import type { DiskCache } from '../../media/links/disk-cache.ts';
import type { Vault } from '../../store/vault/vault.ts';
import type { Accounts } from '../accounts.ts';

export interface DeletedSessionDeps extends Pick<Accounts, 'forgetFiles'> {
  views: Pick<SessionViews, 'get'>;
  ownership: Pick<Ownership, 'owns'>;
  vault: Pick<Vault, 'forgetDeleted'>;
}

/**
 * If the session is deleted, its files in this process go, and so does its key if another process owns the session: the
 * owner destroys the key when it erases the session. To be called after each event of a session.
 */
export function forgetDeletedSession(
  { views, ownership, vault, forgetFiles }: DeletedSessionDeps,
  sessionId: string,
): void {
  if (views.get(sessionId)?.ended !== true) return;
  void forgetFiles(sessionId);
  if (!ownership.owns(sessionId)) vault.forgetDeleted(sessionId);
}

interface FilesOfDeletedDeps extends Pick<DeletedSessionDeps, 'views' | 'forgetFiles'> {
  /** What is kept across a start. */
  mediaCache: Pick<DiskCache, 'groups'>;
}

/**
 * Removes the files of sessions that are deleted, or whose log has been removed since. To be called at the start, when the
 * views have caught up: the sessions may have been deleted while this process was not there.
 */
export function forgetFilesOfDeleted({ views, mediaCache, forgetFiles }: FilesOfDeletedDeps): void {
  for (const id of mediaCache.groups) if (views.get(id)?.ended !== false) void forgetFiles(id);
}
