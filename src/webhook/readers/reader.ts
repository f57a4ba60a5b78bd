import type { LiveUpdate } from '../../telegram/port/updates.ts';
import type { Place } from '../filter/wanted.ts';
import type { StoredReader } from '../stream/outbox-progress.ts';

/** A connection of a reader, as far as the others tell it something. */
export interface ReaderConnection {
  /** Something that is recorded may be there for it. */
  ring(): void;
  /** Something that is not recorded is there for it. */
  show(update: LiveUpdate): void;
  /**
   * @param how `done`, the default: another connection takes its place, or the session has been deleted; `failed`: its client
   * is to come again
   */
  end(how?: 'done' | 'failed'): void;
}

/** A reader of a session: what it wants, and up to where it has read. */
export interface Reader extends Place {
  name: string;
  stored: StoredReader;
  /** While it is connected. */
  connection: ReaderConnection | undefined;
}
