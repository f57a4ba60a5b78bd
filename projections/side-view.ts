import type { RecordedEvent } from '../actors/ports/event-store.ts';
import type { RecordedSessionEvent } from '../actors/session/session-codec.ts';
import type { SessionView } from './session-view.ts';

/** A row of a side view; undefined: it is removed. */
export type SideRow = readonly [key: string, value: string | undefined];

/** A part of a side view's rows. */
interface SideRange {
  /** Both exclusive. */
  after: string;
  before: string;
  limit: number;
  /** Only rows whose value is an object with this `tenant`; undefined: all. */
  tenant: string | undefined;
}

/** The saved rows of a side view. */
export interface SideTable {
  rows(): Iterable<readonly [key: string, value: string]>;
  get(key: string): string | undefined;
  /** In the order of keys. */
  range(range: SideRange): [key: string, value: string][];
}

/** A view that is folded in the same pass over the log as the views of sessions, and saved together with them. */
export interface SideView {
  /** Its rows in the database have it. */
  readonly name: string;
  /** Of the streams that it reads beside those of the sessions. */
  readonly prefixes: readonly string[];
  /** Replaces what it has by the saved rows; if there are none, it begins anew. */
  load(table: SideTable): void;
  /** @param view of the session, with this event */
  seeSession(event: RecordedSessionEvent, view: SessionView): void;
  /** An event of a stream with one of its prefixes. */
  see(event: RecordedEvent): void;
  /** What has changed since the last {@link saved}. */
  changes(): Iterable<SideRow>;
  /** What {@link changes} returned last is stored. */
  saved(): void;
}
