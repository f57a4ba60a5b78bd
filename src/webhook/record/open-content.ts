import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import { BrokenSealError, type Sealer } from '../../../actors/ports/sealer.ts';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import type { DeliveryContent } from '../stream/delivery-events.ts';
import type { ReadDeliveriesDeps } from '../stream/read-deliveries.ts';

export interface OpenContentDeps extends ReadDeliveriesDeps {
  sealer: Pick<Sealer, 'open'>;
}

/**
 * The content of a recorded event; undefined if it has none, or none that can be read, which is reported.
 * @throws {UnreadableEventError} of the vault. {@link StoreUnavailableError}
 */
export async function openContent(
  { sealer, reportUnreadable }: OpenContentDeps,
  sessionId: string,
  event: RecordedDelivery,
): Promise<DeliveryContent[keyof DeliveryContent] | undefined> {
  if (!('content' in event.data)) return undefined;
  try {
    const text = await sealer.open(sessionId, event.data.content);
    return text === undefined ? undefined : (JSON.parse(text) as DeliveryContent[keyof DeliveryContent]);
  } catch (error) {
    if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
    const reason = error instanceof BrokenSealError ? 'broken-seal' : 'wrong-shape';
    const { stream, revision, position } = event;
    reportUnreadable({ kind: 'delivery', stream, revision, position, reason });
    return undefined;
  }
}
