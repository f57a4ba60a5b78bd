import { LruMap } from '../../../actors/kit/lru-map.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { Sealed, Sealer } from '../../../actors/ports/sealer.ts';
import type { SealedWebhook } from '../../../actors/session/events.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { type ChatScope, defaultFilter, type EventFilter, type EventType, mayWant } from './event-filter.ts';
import type { Wanted } from './wanted.ts';

/** Lists of chats that are kept open. */
const maxOpened = 1_000;

/** The filter of a stored webhook as far as it is readable: a list of chats counts as all chats. */
function coarseFilter({ events, chats, chatIds }: SealedWebhook): EventFilter {
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

interface WantedByWebhookDeps {
  views: Pick<SessionViews, 'get'>;
  sealer: Pick<Sealer, 'open'>;
}

/** What the webhook of a session wants. */
export function createWantedByWebhook({ views, sealer }: WantedByWebhookDeps): Wanted {
  const opened = new LruMap<Sealed, string>(maxOpened);
  const open = async (sessionId: string, sealed: Sealed): Promise<string | undefined> => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    try {
      const text = await sealer.open(sessionId, sealed);
      if (text !== undefined) opened.set(sealed, text);
      return text;
    } catch (error) {
      if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
      // Nor can its URL be opened: it has to be set again.
      return undefined;
    }
  };
  return {
    since: (sessionId) => views.get(sessionId)?.webhookSince,
    mayWant(sessionId, types, kind) {
      const { webhook } = views.get(sessionId) ?? {};
      return webhook !== undefined && mayWant(coarseFilter(webhook), types, kind);
    },
    async filters(sessionId) {
      const { webhook } = views.get(sessionId) ?? {};
      return webhook === undefined ? [] : [await openFilter(webhook, (sealed) => open(sessionId, sealed))];
    },
  };
}
