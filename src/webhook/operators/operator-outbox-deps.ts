import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import type { AttemptSlots } from '../deliver/attempt-slots.ts';
import type { DeliveryCounts } from '../deliver/settle-delivery.ts';
import type { DeliverSessionEventDeps, OperatorEndpoint } from './deliver-session-event.ts';
import type { OperatorWebhook } from './operator-webhook.ts';
import type { PlaceSaverDeps } from './place-saver.ts';

export interface OperatorOutboxDeps extends DeliverSessionEventDeps, PlaceSaverDeps {
  store: DeliverSessionEventDeps['store'] & PlaceSaverDeps['store'] & Pick<EventStore, 'subscribeAll'>;
  views: Pick<SessionViews, 'get' | 'waitFor'>;
  random: PlaceSaverDeps['random'] & Pick<Randomness, 'fraction'>;
  slots: AttemptSlots;
  log: Log;
  /** For what is retried. */
  retryLog: Log;
  /** Outcomes since the start, of all webhooks. */
  counts: DeliveryCounts;
  /** Opens the endpoint. @throws it cannot be opened */
  endpointOf: (webhook: OperatorWebhook) => OperatorEndpoint;
  /** The endpoint responded with 410. */
  endpointGone: (id: string) => Promise<void>;
}
