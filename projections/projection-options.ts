import type { Clock } from '../actors/ports/clock.ts';
import type { ReportUnreadable } from '../actors/ports/event-codec.ts';
import type { EventStore } from '../actors/ports/event-store.ts';
import type { SideView } from './side-view.ts';
import type { ViewDatabase } from './view-database.ts';

export interface ProjectionOptions {
  store: EventStore;
  database: ViewDatabase;
  clock: Clock;
  /** `following`: the projection has ended and can be started again. `saving`: it continues, and saves again later. */
  onError: (error: unknown, during: 'following' | 'saving') => void;
  /** The projection skips such an event. */
  reportUnreadable: ReportUnreadable;
  /** For stores that have no quick way to the last event of each stream. Default: false. */
  keepsEnds?: boolean | undefined;
  /** Folded in the same pass over the log. */
  sides?: readonly SideView[];
}
