import type { EventStore, StoreOverview } from '../../../actors/ports/event-store.ts';
import type { KurrentStore } from './kurrent/kurrent-store.ts';

/** A store of either kind. An embedded store has no outages and no overview. */
export type OpenedStore = EventStore & Partial<StoreOverview & Pick<KurrentStore, 'outage'>>;
