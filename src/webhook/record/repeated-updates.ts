import { chatIdOf, type DeliveryContent } from '../stream/delivery-events.ts';
import { readDeliveries } from '../stream/read-deliveries.ts';
import type { DeliveryDraft, DroppedDraft } from './delivery-drafts.ts';
import { type OpenContentDeps, openContent } from './open-content.ts';

/** Events that are searched: more do not happen between two differences that repeat one. */
const maxEvents = 1_000;

/**
 * Leaves out what Telegram says again: an update without a number says how something is now, and a difference repeats
 * those since its date. One that is as the last recorded one of the same thing says nothing new.
 * @throws {UnreadableEventError} of the vault. {@link StoreUnavailableError}
 */
export async function withoutRepeated(
  deps: OpenContentDeps,
  sessionId: string,
  login: number,
  drafts: readonly (DeliveryDraft | DroppedDraft)[],
): Promise<(DeliveryDraft | DroppedDraft)[]> {
  const wanted = new Set(drafts.filter(isRepeatable).map((draft) => aboutOf(draft.type, draft.content)));
  if (wanted.size === 0) return [...drafts];
  const types = new Set<string>(drafts.filter(isRepeatable).map(({ type }) => type));
  const last = new Map<string, string>();
  for await (const event of readDeliveries(deps, sessionId, { direction: 'backwards', limit: maxEvents })) {
    if (event.metadata.login !== login || last.size === wanted.size) break;
    if (!types.has(event.type)) continue;
    const content = await openContent(deps, sessionId, event);
    const about = content && aboutOf(event.type, content);
    if (about !== undefined && wanted.has(about) && !last.has(about)) last.set(about, stateOf(content));
  }
  return drafts.filter((draft) => {
    if (!isRepeatable(draft)) return true;
    const about = aboutOf(draft.type, draft.content);
    const state = stateOf(draft.content);
    const isNew = last.get(about) !== state;
    last.set(about, state);
    return isNew;
  });
}

const isRepeatable = (draft: DeliveryDraft | DroppedDraft): draft is DeliveryDraft =>
  draft.type !== 'UpdateDropped' && draft.mayBeRepeated === true;

/** The thing that an event says the state of. */
function aboutOf(type: string, content: DeliveryContent[keyof DeliveryContent]): string {
  const { messageId, pollId, fromMe, options, user } = content as {
    messageId?: number;
    pollId?: string;
    fromMe?: boolean;
    options?: unknown;
    user?: { id: string };
  };
  // Of a vote that a bot is told, each person's is one.
  return JSON.stringify([type, chatIdOf(content), messageId, pollId, fromMe, options && user?.id]);
}

function stateOf(content: DeliveryContent[keyof DeliveryContent] | undefined): string {
  const { counts, results, options, upTo } = { ...content } as Record<string, unknown>;
  return JSON.stringify([counts, results, options, upTo]);
}
