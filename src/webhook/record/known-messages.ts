import type { KnownMessages } from '../../telegram/port/updates.ts';
import type { Place } from '../filter/wanted.ts';
import { readDeliveries } from '../stream/read-deliveries.ts';
import { begunPlaces } from './mark-events.ts';
import { type OpenContentDeps, openAccount } from './open-content.ts';

/** Events that are searched. */
const maxEvents = 20_000;

/**
 * The account whose updates a login has recorded last; undefined if no event of it says so.
 * @throws {StoreUnavailableError}
 */
export async function accountOfRecord(
  deps: OpenContentDeps,
  sessionId: string,
  login: number,
): Promise<string | undefined> {
  for await (const event of readDeliveries(deps, sessionId, { direction: 'backwards', limit: maxEvents })) {
    if (event.metadata.login !== login) return undefined;
    const account = await openAccount(deps, sessionId, event);
    if (account !== undefined) return account;
  }
  return undefined;
}

/**
 * What the stream has of the account's messages, from its newest event back to the newest message that arrived.
 * @param isOfAccount whether a login is one of the account's
 * @param places those that there are now, the earliest since `since`
 * @throws {StoreUnavailableError}
 */
export async function readKnownMessages(
  deps: OpenContentDeps,
  sessionId: string,
  isOfAccount: (login: number) => boolean,
  places: readonly Place[],
  since: number,
): Promise<KnownMessages> {
  const sent = new Set<number>();
  for await (const { type, metadata } of readDeliveries(deps, sessionId, {
    direction: 'backwards',
    limit: maxEvents,
  })) {
    if (!isOfAccount(metadata.login) || begunPlaces(places, metadata).length === 0) break;
    // A channel's messages have numbers of their own.
    if (metadata.channelPts !== undefined) continue;
    const { messageIds = [] } = metadata;
    if (type === 'MessageReceived' || type === 'MessageSeen') return { upTo: Math.max(0, ...messageIds), sent, since };
    if (type === 'MessageSent') for (const id of messageIds) sent.add(id);
  }
  return { upTo: 0, sent, since };
}
