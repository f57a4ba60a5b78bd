import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import { BrokenSealError, type Sealed, type Sealer } from '../../../actors/ports/sealer.ts';
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
  deps: OpenContentDeps,
  sessionId: string,
  event: RecordedDelivery,
): Promise<DeliveryContent[keyof DeliveryContent] | undefined> {
  if (!('content' in event.data)) return undefined;
  const read = (text: string) => JSON.parse(text) as DeliveryContent[keyof DeliveryContent];
  return open(deps, sessionId, event, event.data.content, read);
}

/** The account that a recorded event names; undefined if it names none. @throws as {@link openContent} */
export async function openAccount(
  deps: OpenContentDeps,
  sessionId: string,
  event: RecordedDelivery,
): Promise<string | undefined> {
  if (event.type !== 'RecordingStarted') return (await openContent(deps, sessionId, event))?.account;
  const { account } = event.data;
  return account && open(deps, sessionId, event, account, (text) => text);
}

async function open<Content>(
  { sealer, reportUnreadable }: OpenContentDeps,
  sessionId: string,
  event: RecordedDelivery,
  sealed: Sealed,
  read: (text: string) => Content,
): Promise<Content | undefined> {
  try {
    const text = await sealer.open(sessionId, sealed);
    return text === undefined ? undefined : read(text);
  } catch (error) {
    if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
    const reason = error instanceof BrokenSealError ? 'broken-seal' : 'wrong-shape';
    const { stream, revision, position } = event;
    reportUnreadable({ kind: 'delivery', stream, revision, position, reason });
    return undefined;
  }
}
