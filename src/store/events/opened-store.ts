import type { EventStore, StoreOverview } from '../../../actors/ports/event-store.ts';

/** While it lasts, nothing is recorded. */
export interface Outage {
  /** Milliseconds since 1970. */
  since: number;
  reason: string;
}

/** A store of either kind. */
export type OpenedStore = EventStore &
  Partial<StoreOverview> & {
    /** Undefined if the last calls succeeded. */
    readonly outage?: Outage | undefined;
  };
