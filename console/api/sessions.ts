import { removeSessionSecret, storeSessionSecret } from './credentials.ts';
import { ApiError, request } from './request.ts';
import type { PastSession, Session, SessionStats, SessionSummary } from './types.ts';

interface PageOfSessions {
  docs: SessionSummary[];
  /** Of the next page; empty if there is none. */
  after: string;
}

/** One page of the list. @param query of `GET /sessions` */
export const loadSessions = (query: string, signal: AbortSignal): Promise<PageOfSessions> =>
  request('GET', `/sessions?${query}`, { signal });

/** How many sessions are in each state now. */
export const loadStateCounts = async (signal: AbortSignal): Promise<SessionStats['states']> =>
  (await request<SessionStats>('GET', '/sessions/stats', { signal })).states;

/** @returns undefined if there is no such session */
export async function loadSummary(id: string, signal: AbortSignal): Promise<SessionSummary | undefined> {
  try {
    return await request<SessionSummary>('GET', `/sessions/${encodeURIComponent(id)}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** A bot's token has a colon, which no session string has. */
const loginOf = (secret: string): object => (secret.includes(':') ? { botToken: secret } : { string: secret });

/** What a new session is given; empty: nothing. */
interface NewSession {
  name: string;
  label: string;
  externalId: string;
  /** A bot's token or a session string; empty: the session shows a QR code. */
  secret: string;
}

/**
 * Creates a session and stores its secret in this tab.
 * @returns its ID
 */
export async function createSession({ secret, ...names }: NewSession): Promise<string> {
  const filled = Object.entries(names).filter(([, name]) => name !== '');
  const body = { ...Object.fromEntries(filled), ...(secret !== '' && { login: loginOf(secret) }) };
  const { id, sessionId } = await request<Session>('POST', '/session', { body });
  storeSessionSecret(id, sessionId);
  return id;
}

export const getSession = (id: string, signal?: AbortSignal): Promise<Session> =>
  request('GET', '/session', { session: id, ...(signal && { signal }) });

/** Checks the session's secret with a request, and stores it if it is right. @throws {ApiError} */
export async function unlockSession(id: string, sessionId: string): Promise<void> {
  storeSessionSecret(id, sessionId);
  try {
    await getSession(id);
  } catch (error) {
    removeSessionSecret(id);
    throw error;
  }
}

export const postPhone = (id: string, phone: string): Promise<unknown> =>
  request('POST', '/session/login', { session: id, body: { phone } });

export const postCode = (id: string, code: string): Promise<unknown> =>
  request('POST', '/session/code', { session: id, body: { code } });

export const postPassword = (id: string, password: string): Promise<unknown> =>
  request('POST', '/session/password', { session: id, body: { password } });

export const resetSession = (id: string): Promise<unknown> =>
  request('POST', '/session/reset', { session: id, body: {} });

export async function deleteSession(id: string): Promise<void> {
  await request('DELETE', '/session', { session: id });
  removeSessionSecret(id);
}

/**
 * The session as it was after an event.
 * @param isOwner false: the request is made with the API key, and personal fields are empty
 * @param seq of the event
 */
export const readReplay = (id: string, isOwner: boolean, seq: number, signal: AbortSignal): Promise<PastSession> =>
  isOwner
    ? request('GET', `/session/replay?seq=${seq}`, { session: id, signal })
    : request('GET', `/sessions/${id}/replay?seq=${seq}`, { signal });
