import type { ChatUser } from '../../telegram/port/updates.ts';
import { type EventFilter, type FilteredEvent, isWantedByAny } from '../filter/event-filter.ts';
import { deliveredTypes, isDelivered } from '../stream/delivery-events.ts';
import type { DeliveryDraft, DroppedDraft } from './delivery-drafts.ts';

/**
 * The drafts that are wanted. Of a new message that is not, its ID is recorded if its deletion is: Telegram does not say
 * in which chat a deleted message was.
 */
export function asWanted(
  drafts: readonly (DeliveryDraft | DroppedDraft)[],
  filters: readonly EventFilter[],
): (DeliveryDraft | DroppedDraft)[] {
  return drafts.flatMap((draft) => {
    if (draft.type === 'UpdateDropped' || !isDelivered(draft.type)) return [draft];
    const event = eventOf(draft, deliveredTypes[draft.type]);
    if (isWantedByAny(filters, event)) return [draft];
    if (draft.type !== 'MessageReceived' || !isWantedByAny(filters, { ...event, type: 'message.deleted' })) return [];
    const { account, user } = draft.content;
    return [{ ...draft, type: 'MessageSeen', content: { ...(account !== undefined && { account }), user } }];
  });
}

const eventOf = ({ content }: DeliveryDraft, type: FilteredEvent['type']): FilteredEvent => ({
  type,
  // One that cannot be recorded may lack it: its record says so.
  chatId: (content.user as ChatUser | undefined)?.id,
  kind: 'user',
});
