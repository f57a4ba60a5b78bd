import type { ChatUser, UpdateChat } from '../../telegram/port/updates.ts';
import { type FilteredEvent, wants } from '../filter/event-filter.ts';
import type { Place } from '../filter/wanted.ts';
import { type DeliveryContent, deliveredTypes, isDelivered } from '../stream/delivery-events.ts';
import type { DeliveryDraft, DroppedDraft } from './delivery-drafts.ts';
import { isBeforeWebhook } from './is-before-webhook.ts';

/**
 * The drafts that are wanted, and by whom: they pass the filter of a place, and are from after it was set. Of a new message
 * that is not wanted, its ID is recorded if its deletion is: Telegram does not say in which chat a deleted message was.
 * @param begun the places for which the record has begun: all that comes is from after they were set
 */
export function asWanted(
  drafts: readonly (DeliveryDraft | DroppedDraft)[],
  places: readonly Place[],
  begun: readonly Place[],
  isOfChannel = false,
): (DeliveryDraft | DroppedDraft)[] {
  return drafts.flatMap((draft): (DeliveryDraft | DroppedDraft)[] => {
    if (draft.type === 'UpdateDropped') return [draft];
    const after = placesAt(draft, places, begun);
    // Telegram says in which supergroup or channel a message was deleted.
    if (!isDelivered(draft.type))
      return after.length === 0 || isOfChannel ? [] : [{ ...draft, wantedBy: keysOf(after) }];
    const event = eventOf(draft, deliveredTypes[draft.type]);
    const wanting = after.filter(({ filter }) => wants(filter, event));
    if (wanting.length > 0) return [{ ...draft, wantedBy: keysOf(wanting) }];
    const isDeletionWanted = after.some(({ filter }) => wants(filter, { ...event, type: 'message.deleted' }));
    if (draft.type !== 'MessageReceived' || !isDeletionWanted || isOfChannel) return [];
    const { account, user, chat } = draft.content as DeliveryContent['MessageReceived'];
    const content = { ...(account !== undefined && { account }), user, ...(chat && { chat }) };
    return [{ ...draft, type: 'MessageSeen', content, wantedBy: keysOf(after) }];
  });
}

/** Those that the update of a draft is not from before. */
function placesAt({ when }: DeliveryDraft, places: readonly Place[], begun: readonly Place[]): readonly Place[] {
  if (when === undefined || begun.length === places.length) return places;
  return places.filter((place) => begun.includes(place) || !isBeforeWebhook(when, place.since));
}

const keysOf = (places: readonly Place[]): Set<string> => new Set(places.map(({ key }) => key));

function eventOf({ content }: DeliveryDraft, type: FilteredEvent['type']): FilteredEvent {
  if (type === 'message.vote') return { type };
  // One that cannot be recorded may lack both: its record says so.
  const { chat, user } = content as { chat?: UpdateChat; user?: ChatUser };
  const chatId = chat?.id ?? user?.id;
  return { type, chatId, kind: chat?.kind ?? 'user' };
}
