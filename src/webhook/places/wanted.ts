import { LruMap } from '../../../actors/kit/lru-map.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { Sealed, Sealer } from '../../../actors/ports/sealer.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { mayWant } from '../filter/event-filter.ts';
import type { Place, Wanted } from '../filter/wanted.ts';
import { coarseFilter, openFilter } from '../filter/webhook-filter.ts';
import { type ActiveWebhook, webhooksOf } from './active-webhooks.ts';

/** Lists of chats that are kept open. */
const maxOpened = 1_000;

interface WantedDeps {
  views: Pick<SessionViews, 'get'>;
  sealer: Pick<Sealer, 'open'>;
  /** The readers of a session as places. */
  readers: (sessionId: string) => readonly Place[];
}

/** What the webhooks and readers of sessions want. */
export function createWanted({ views, sealer, readers }: WantedDeps): Wanted {
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
  const webhooks = (sessionId: string): ActiveWebhook[] => {
    const view = views.get(sessionId);
    return view === undefined ? [] : webhooksOf(view);
  };
  const placeOf = async ({ sessionId, key, since, webhook }: ActiveWebhook): Promise<Place> => ({
    key,
    since,
    filter: await openFilter(webhook, (sealed) => open(sessionId, sealed)),
  });
  return {
    since(sessionId) {
      const all = [...webhooks(sessionId), ...readers(sessionId)].map(({ since }) => since);
      return all.length === 0 ? undefined : Math.min(...all);
    },
    mayWant: (sessionId, types, kind) =>
      webhooks(sessionId).some(({ webhook }) => mayWant(coarseFilter(webhook), types, kind)) ||
      readers(sessionId).some(({ filter }) => mayWant(filter, types, kind)),
    places: async (sessionId) => [...(await Promise.all(webhooks(sessionId).map(placeOf))), ...readers(sessionId)],
  };
}
