import { removeSessionSecret, storeSessionSecret } from './credentials.ts';
import { request } from './request.ts';
import type { SessionConnection, SessionSummary } from './types.ts';

/** What an operator does with any session, with the API key or a key of the scope `sessions:control` (OS2). */

const pathOf = (id: string): string => `/sessions/${encodeURIComponent(id)}`;

export const resetById = (id: string): Promise<unknown> => request('POST', `${pathOf(id)}/reset`);

export async function deleteById(id: string): Promise<void> {
  await request('DELETE', pathOf(id));
  removeSessionSecret(id);
}

export const turnWebhookOff = (id: string): Promise<unknown> =>
  request('PUT', `${pathOf(id)}/webhook`, { body: { url: '', token: '' } });

/** Gives the session a new secret and stores it in this tab. The one before opens nothing any more. @returns it */
export async function rotateSecret(id: string): Promise<string> {
  const { sessionId } = await request<{ sessionId: string }>('POST', `${pathOf(id)}/secret`);
  storeSessionSecret(id, sessionId);
  return sessionId;
}

/** An empty name takes it away. @throws {ApiError} 400 if a live session has the external ID */
export const changeNames = (id: string, names: Pick<SessionSummary, 'label' | 'externalId'>): Promise<unknown> =>
  request('PATCH', pathOf(id), { body: names });

/** How a disconnected session gets on with reconnecting. */
export const getConnection = (id: string, signal: AbortSignal): Promise<SessionConnection> =>
  request('GET', `${pathOf(id)}/connection`, { signal });

/** Has a disconnected session connect now, instead of at its next attempt. */
export const connectNow = (id: string): Promise<unknown> => request('POST', `${pathOf(id)}/connection`);
