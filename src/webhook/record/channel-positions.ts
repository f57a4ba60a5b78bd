import { chatIdOf } from '../stream/delivery-events.ts';
import { readDeliveries } from '../stream/read-deliveries.ts';
import { type OpenContentDeps, openContent } from './open-content.ts';

/** Events that are searched: the stored login has the positions before them. */
const maxEvents = 5_000;

/**
 * Where the record of each supergroup and channel ends, as far as the stream's newest events of a login say.
 * @throws {UnreadableEventError} of the vault. {@link StoreUnavailableError}
 */
export async function readChannelPositions(
  deps: OpenContentDeps,
  sessionId: string,
  login: number,
): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  const seen = new Set<string>();
  for await (const event of readDeliveries(deps, sessionId, { direction: 'backwards', limit: maxEvents })) {
    const { channelPts, chat = '', login: recordedLogin } = event.metadata;
    if (recordedLogin !== login) break;
    if (channelPts === undefined || seen.has(chat)) continue;
    const content = await openContent(deps, sessionId, event);
    if (content === undefined) continue;
    seen.add(chat);
    positions.set(chatIdOf(content), channelPts);
  }
  return positions;
}
