import { isRetryable } from '../kit/retryable.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Sealer } from '../ports/sealer.ts';
import { firstWebhook, type SealedWebhook } from '../session/events.ts';
import { type ReadSessionDeps, readSession } from './read-session.ts';
import type { SupervisedSession } from './supervised-session.ts';

/**
 * A webhook of a session, from the last event that sets it; null if it is off.
 * @param slot 1 is the first webhook
 * @throws {StoreUnavailableError}
 */
export async function readWebhook(
  deps: ReadSessionDeps,
  sessionId: string,
  slot: number,
): Promise<SealedWebhook | null> {
  for await (const { data } of readSession(deps, sessionId, { direction: 'backwards' })) {
    const isOfSlot = (('slot' in data && data.slot) || firstWebhook) === slot;
    if (isOfSlot && 'webhook' in data && data.webhook !== undefined) return data.webhook;
  }
  return null;
}

export interface RecordedProxyDeps extends ReadSessionDeps {
  store: EventStore;
  sealer: Pick<Sealer, 'open'>;
}

/** The URL of a session's proxy, as `ReadProxy` says. @throws {StoreUnavailableError} {@link BrokenSealError} */
export async function recordedProxy(deps: RecordedProxyDeps, session: SupervisedSession): Promise<string | undefined> {
  const { id, actor, givenProxy, phase } = session;
  const isRecorded = actor?.state !== undefined;
  if (phase.kind === 'active' && !isRecorded) return givenProxy ?? '';
  const found = isRecorded ? { proxy: actor.proxy } : await lastRecorded(deps, id);
  if (found === undefined) return givenProxy;
  return found.proxy === undefined ? '' : deps.sealer.open(id, found.proxy);
}

/** The same for a deleted session: one that cannot be opened does not hold up the erasure. @throws {StoreUnavailableError} */
export async function proxyForLogOut(deps: RecordedProxyDeps, session: SupervisedSession): Promise<string | undefined> {
  try {
    return await recordedProxy(deps, session);
  } catch (error) {
    if (isRetryable(error)) throw error;
    return undefined;
  }
}

/** The metadata of the last event that can be read; undefined if there is none. */
async function lastRecorded(deps: ReadSessionDeps, sessionId: string) {
  for await (const { metadata } of readSession(deps, sessionId, { direction: 'backwards', limit: 1 })) return metadata;
  return undefined;
}
