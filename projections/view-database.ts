import type { Sealed } from '../actors/ports/sealer.ts';
import type { SessionEnd } from '../actors/session/restore.ts';
import type { SessionView, SessionViews } from './session-view.ts';
import type { SideRow, SideTable } from './side-view.ts';

/** Up to where the stored views are. */
export interface ViewProgress {
  /** Of the last event in them, of whichever stream. */
  upTo: bigint;
  /** Of the last event of a session. */
  position: bigint;
  stream: string;
  revision: number;
  /** Its ID shows whether this is still the store that the views were made from. */
  eventId: string;
}

/** What has changed since the last save. */
export interface ViewChanges {
  views: Iterable<SessionView>;
  /** By session; undefined: it has none any more. */
  pictures: Iterable<readonly [id: string, picture: Sealed | undefined]>;
  /** By session; undefined: it is deleted. */
  ends: Iterable<readonly [id: string, end: SessionEnd | undefined]>;
  /** Of the side views. */
  sides: Iterable<readonly [name: string, rows: Iterable<SideRow>]>;
}

/** Stores views between two runs. It is only a cache of the events and may be lost at any time. */
export interface ViewDatabase
  extends Pick<
    SessionViews,
    'get' | 'picture' | 'list' | 'liveIds' | 'byExternalKey' | 'countByState' | 'countOfKeys'
  > {
  /** Undefined before the first event. */
  readonly progress: ViewProgress | undefined;
  /** Rows and progress together, or neither. */
  save(changes: ViewChanges, progress: ViewProgress): void;
  /** How the streams of sessions end, in the order of their IDs. */
  ends(after: string, limit: number): SessionEnd[];
  /** The rows of a side view. */
  side(name: string): SideTable;
  /** Removes rows; the progress stays. */
  remove(ids: readonly string[]): void;
  /** Removes everything. */
  clear(): void;
  close(): void;
}
