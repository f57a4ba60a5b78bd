import type { DeliveryFact } from '../stream/delivery-events.ts';
import { readDeliveries } from '../stream/read-deliveries.ts';
import type { MessagePlace } from './delivery-drafts.ts';
import { type OpenContentDeps, openContent } from './open-content.ts';

/** Events that are searched: older messages are hardly ever deleted. */
const maxEvents = 20_000;

const beginsMessage = new Set<string>(['MessageReceived', 'MessageSent', 'MessageSeen'] satisfies DeliveryFact[]);

/**
 * Finds the private chats and basic groups of messages in the session's delivery stream, from its newest event back. Telegram numbers the
 * messages of these in their order, so an event with an older message ends the search. An event of
 * another login ends it too. Unreadable events are skipped.
 * @throws {StoreUnavailableError}
 */
export async function findChats(
  deps: OpenContentDeps,
  sessionId: string,
  login: number,
  messageIds: readonly number[],
): Promise<Map<number, MessagePlace>> {
  const found = new Map<number, MessagePlace>();
  const wanted = new Set(messageIds);
  const earliest = Math.min(...messageIds);
  const newestFirst = readDeliveries(deps, sessionId, { direction: 'backwards', limit: maxEvents });
  for await (const event of newestFirst) {
    const { messageIds: ids = [], login: recordedLogin, channelPts } = event.metadata;
    if (recordedLogin !== login) break;
    // Its messages have numbers of their own.
    if (channelPts !== undefined) continue;
    const hits = ids.filter((id) => wanted.has(id));
    const content = hits.length > 0 ? await openContent(deps, sessionId, event) : undefined;
    if (content !== undefined && isPlace(content)) {
      for (const id of hits) {
        wanted.delete(id);
        found.set(id, content);
      }
    }
    if (wanted.size === 0 || (beginsMessage.has(event.type) && ids.every((id) => id < earliest))) break;
  }
  return found;
}

const isPlace = (content: object): content is MessagePlace => 'user' in content && content.user !== undefined;
