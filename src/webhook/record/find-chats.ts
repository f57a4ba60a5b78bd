import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import { BrokenSealError, type Sealer } from '../../../actors/ports/sealer.ts';
import type { ChatUser } from '../../telegram/port/updates.ts';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import type { DeliveryFact } from '../stream/delivery-events.ts';
import { type ReadDeliveriesDeps, readDeliveries } from '../stream/read-deliveries.ts';

/** How many events are looked at: older messages are hardly ever deleted. */
const maxEvents = 20_000;

const beginsMessage = new Set<string>(['MessageReceived', 'MessageSent'] satisfies DeliveryFact[]);

export interface FindChatsDeps extends ReadDeliveriesDeps {
  sealer: Pick<Sealer, 'open'>;
}

/**
 * Finds the private chats of messages in the session's own delivery stream, from its newest event back. Telegram numbers
 * the messages of an account's private chats in the order in which they come: what begins before the earliest message that
 * is looked for ends the search, and so does another login. What cannot be read is passed over.
 * @throws {StoreUnavailableError}
 */
export async function findChats(
  deps: FindChatsDeps,
  sessionId: string,
  login: number,
  messageIds: readonly number[],
): Promise<Map<number, ChatUser>> {
  const found = new Map<number, ChatUser>();
  const wanted = new Set(messageIds);
  const earliest = Math.min(...messageIds);
  const newestFirst = readDeliveries(deps, sessionId, { direction: 'backwards', limit: maxEvents });
  for await (const event of newestFirst) {
    const { messageIds: ids = [], login: recordedLogin } = event.metadata;
    if (recordedLogin !== login) break;
    const hits = ids.filter((id) => wanted.has(id));
    const user = hits.length > 0 ? await userOf(deps, sessionId, event) : undefined;
    if (user !== undefined) {
      for (const id of hits) {
        wanted.delete(id);
        found.set(id, user);
      }
    }
    if (wanted.size === 0 || (beginsMessage.has(event.type) && ids.every((id) => id < earliest))) break;
  }
  return found;
}

/** The other side of the chat; undefined if what is sealed cannot be read. */
async function userOf(
  { sealer, reportUnreadable }: FindChatsDeps,
  sessionId: string,
  event: RecordedDelivery,
): Promise<ChatUser | undefined> {
  if (!('content' in event.data)) return undefined;
  try {
    const text = await sealer.open(sessionId, event.data.content);
    return text === undefined ? undefined : (JSON.parse(text) as { user: ChatUser }).user;
  } catch (error) {
    if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
    const reason = error instanceof BrokenSealError ? 'broken-seal' : 'wrong-shape';
    const { stream, revision, position } = event;
    reportUnreadable({ kind: 'delivery', stream, revision, position, reason });
    return undefined;
  }
}
