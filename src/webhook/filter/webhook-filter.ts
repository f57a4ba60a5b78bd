import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { SealedWebhook } from '../../../actors/session/events.ts';
import { type ChatScope, defaultFilter, type EventFilter, type EventType } from './event-filter.ts';

/** The filter of a stored webhook as far as it is readable: a list of chats counts as all chats. */
export function coarseFilter({ events, chats, chatIds }: SealedWebhook): EventFilter {
  return {
    events: (events as readonly EventType[] | undefined) ?? defaultFilter.events,
    chats: chatIds === undefined ? ((chats as ChatScope | undefined) ?? defaultFilter.chats) : 'all',
  };
}

/**
 * The filter of a stored webhook.
 * @param open undefined if the key of the list of chats is destroyed: then it names none
 */
export async function openFilter(
  webhook: SealedWebhook,
  open: (sealed: Sealed) => Promise<string | undefined>,
): Promise<EventFilter> {
  const coarse = coarseFilter(webhook);
  if (webhook.chatIds === undefined) return coarse;
  return { ...coarse, chats: JSON.parse((await open(webhook.chatIds)) ?? '[]') as string[] };
}
