import { forgetSecret, keepSecret } from './credentials.ts';
import { request } from './request.ts';
import type { Receiver, Replay, Session, SessionSummary } from './types.ts';

/** The most that one page of the list holds. */
const pageSize = 1_000;

/** All sessions there are or were, newest first. */
export async function allSessions(signal: AbortSignal): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  let after = '';
  do {
    const query = `state=any&limit=${pageSize}&after=${encodeURIComponent(after)}`;
    const page = await request<{ docs: SessionSummary[]; after: string }>('GET', `/sessions?${query}`, { signal });
    found.push(...page.docs);
    ({ after } = page);
  } while (after !== '');
  return found.toReversed();
}

/** A new session; this tab may show it and send from it. */
export async function createSession(name: string): Promise<string> {
  const { id, sessionId } = await request<Session>('POST', '/session', { body: name === '' ? {} : { name } });
  keepSecret(id, sessionId);
  return id;
}

export const readSession = (id: string, signal?: AbortSignal): Promise<Session> =>
  request('GET', '/session', { session: id, ...(signal && { signal }) });

/** Whether that is the session's secret; it is kept then. @throws {ApiError} */
export async function giveSecret(id: string, sessionId: string): Promise<void> {
  keepSecret(id, sessionId);
  try {
    await readSession(id);
  } catch (error) {
    forgetSecret(id);
    throw error;
  }
}

export const givePassword = (id: string, password: string): Promise<unknown> =>
  request('POST', '/session/password', { session: id, body: { password } });

export const resetSession = (id: string): Promise<unknown> =>
  request('POST', '/session/reset', { session: id, body: {} });

export async function deleteSession(id: string): Promise<void> {
  await request('DELETE', '/session', { session: id });
  forgetSecret(id);
}

/** @returns the message's ID in the receiving chat */
export async function sendText(id: string, { kind, value }: Receiver, text: string): Promise<string> {
  const body = { [kind]: value, type: 'text', text };
  return (await request<{ messageId: string }>('POST', '/message', { session: id, body })).messageId;
}

/** How the session was after an event. @param isOwner false: without what is personal */
export const replayAt = (id: string, isOwner: boolean, seq: number, signal: AbortSignal): Promise<Replay> =>
  isOwner
    ? request('GET', `/session/replay?seq=${seq}`, { session: id, signal })
    : request('GET', `/sessions/${id}/replay?seq=${seq}`, { signal });
