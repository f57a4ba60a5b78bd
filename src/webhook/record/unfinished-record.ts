import { createHash } from 'node:crypto';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import { chatIdOf, type DeliveryContent } from '../stream/delivery-events.ts';
import { readDeliveries } from '../stream/read-deliveries.ts';
import { type DeliveryDraft, type DroppedDraft, isRefusal } from './delivery-drafts.ts';
import { type OpenContentDeps, openContent } from './open-content.ts';

/**
 * Leaves out the drafts that are recorded already: a difference that took several appends was interrupted between two of
 * them, and Telegram has sent it again. They are compared by content, because Telegram may have put newer updates between
 * them. An equal one that happened twice is left out as many times as it is recorded.
 * @throws {UnreadableEventError} of the vault. {@link StoreUnavailableError}
 */
export async function withoutRecorded(
  deps: OpenContentDeps,
  sessionId: string,
  login: number,
  drafts: readonly (DeliveryDraft | DroppedDraft)[],
): Promise<(DeliveryDraft | DroppedDraft)[]> {
  const recorded = new Map<string, number>();
  for await (const event of readDeliveries(deps, sessionId, { direction: 'backwards' })) {
    const { unfinishedUpTo, login: ofLogin } = event.metadata;
    if (unfinishedUpTo === undefined || ofLogin !== login) break;
    const identity = await identityOfRecorded(deps, sessionId, event);
    if (identity !== undefined) recorded.set(identity, (recorded.get(identity) ?? 0) + 1);
  }
  return drafts.filter((draft) => {
    const identity = identityOfDraft(draft);
    if (identity === undefined) return true;
    const count = recorded.get(identity) ?? 0;
    recorded.set(identity, count - 1);
    return count <= 0;
  });
}

/** Undefined for one that is, or will be, dropped. */
function identityOfDraft(draft: DeliveryDraft | DroppedDraft): string | undefined {
  if (draft.type === 'UpdateDropped') return undefined;
  try {
    return identityOf(draft.type, draft.content, draft.messageIds);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

async function identityOfRecorded(
  deps: OpenContentDeps,
  sessionId: string,
  event: RecordedDelivery,
): Promise<string | undefined> {
  const content = await openContent(deps, sessionId, event);
  return content && identityOf(event.type, content, event.metadata.messageIds);
}

/** The other side's name and the like may have changed since. */
function identityOf(
  type: string,
  content: DeliveryContent[keyof DeliveryContent],
  messageIds?: readonly number[],
): string {
  const { user: _user, chat: _chat, ...rest } = content as { user?: unknown; chat?: unknown };
  const text = JSON.stringify([type, chatIdOf(content), messageIds, rest]);
  return createHash('sha256').update(text).digest('base64url');
}
