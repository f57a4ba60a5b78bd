import type { SessionView, SessionViews } from './session-view.ts';

/** The last event that the kept views have seen. */
export interface ViewProgress {
  position: bigint;
  stream: string;
  revision: number;
  /** Its ID: tells whether this is still the store that the views were made from. */
  eventId: string;
}

/** Where views are kept between two runs. Only a cache of the events: it may be lost at any time. */
export interface ViewDatabase extends Pick<SessionViews, 'get' | 'list' | 'countByState'> {
  /** Undefined where no event has been seen yet. */
  readonly progress: ViewProgress | undefined;
  /** Rows and progress together, or neither. */
  save(views: Iterable<SessionView>, progress: ViewProgress): void;
  /** Takes out rows; the progress stays. */
  remove(ids: readonly string[]): void;
  /** Forgets everything. */
  clear(): void;
  close(): void;
}
