import { request } from './request.ts';

/** `GET /session/webhook`. */
export interface WebhookState {
  id: string;
  webhook: { url: string; token: string };
  /** How many events wait for their delivery. */
  pending: number;
  /** ISO 8601; empty where nothing has been delivered. */
  lastDelivered: string;
  /** Empty where nothing has failed. */
  lastError: string;
  /** How many events were given up. */
  parked: number;
}

/** An event that was given up; it can be sent again. */
export interface ParkedDelivery {
  seq: number;
  id: string;
  type: string;
  created: string;
  error: string;
}

export const readWebhook = (id: string, signal: AbortSignal): Promise<WebhookState> =>
  request('GET', '/session/webhook', { session: id, signal });

/** Both empty turn it off. */
export const setWebhook = (id: string, webhook: WebhookState['webhook']): Promise<unknown> =>
  request('PUT', '/session/webhook', { session: id, body: webhook });

/** The first ones of those that were given up. */
export async function readParked(id: string, limit: number, signal: AbortSignal): Promise<ParkedDelivery[]> {
  const path = `/session/webhook/parked?limit=${limit}`;
  return (await request<{ docs: ParkedDelivery[] }>('GET', path, { session: id, signal })).docs;
}

/** Sends that event and all after it again. @returns how many wait then */
export async function replayDeliveries(id: string, seq: number): Promise<number> {
  const body = { from: seq };
  return (await request<{ pending: number }>('POST', '/session/webhook/replay', { session: id, body })).pending;
}

/** Sends an event that means nothing, once. */
export const testWebhook = (id: string): Promise<{ delivered: boolean; status: number; error: string }> =>
  request('POST', '/session/webhook/test', { session: id, body: {} });
