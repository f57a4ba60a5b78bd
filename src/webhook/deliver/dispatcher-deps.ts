import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import type { ListDeliveriesDeps } from '../list/list-deliveries.ts';
import type { OutboxDeps } from './outbox.ts';

export interface DispatcherDeps extends Omit<OutboxDeps, 'slots' | 'attempts' | 'sameTurn' | 'counts' | 'retryLog'> {
  store: OutboxDeps['store'] & Pick<EventStore, 'lastOfEach'>;
  sealer: OutboxDeps['sealer'] & ListDeliveriesDeps['sealer'];
  views: Pick<SessionViews, 'get' | 'liveIds' | 'onChange'>;
  /** The number of the partition that a session is in. For {@link Dispatcher.take}. */
  partitionOf?: ((sessionId: string) => number) | undefined;
}
