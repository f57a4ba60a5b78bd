import { readApiKey, readSessionSecret } from './credentials.ts';

/** The root of the gateway's API: this page is its `console/`. A proxy may put the gateway below a path. */
export const gatewayUrl = new URL('../', location.href);

/** No response, an error response, or a response that is not JSON. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** 0: no response. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface RequestOptions {
  body?: unknown;
  /** Sent as it is, instead of a body. */
  file?: File;
  /** ID of the session that it is about. Without it the request is not about one. */
  session?: string;
  signal?: AbortSignal;
  /** Of a request that may be repeated and still takes effect once. */
  idempotencyKey?: string;
}

/**
 * Headers that authenticate a request: those of a session, or else the API key. Without the secret of the session, the API key
 * stands for it (KY1.4).
 */
export function authHeaders(session?: string): Record<string, string> {
  const key = readApiKey();
  const keyHeaders: Record<string, string> = key === null ? {} : { 'x-api-key': key };
  if (session === undefined) return keyHeaders;
  const secret = readSessionSecret(session);
  return secret === null ? { id: session, ...keyHeaders } : { id: session, 'session-id': secret };
}

/**
 * Sends a request to the gateway and returns the JSON of the response.
 * @param path below the gateway's root, with its query
 * @throws {ApiError} with the gateway's own message, or the signal's reason
 */
export async function request<T>(
  method: string,
  path: string,
  { body, file, session, signal, idempotencyKey }: RequestOptions = {},
): Promise<T> {
  return fetchJson<T>(new URL(path.replace(/^\//, ''), gatewayUrl), {
    method,
    headers: {
      ...authHeaders(session),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file !== undefined && { 'content-type': file.type || 'application/octet-stream' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file !== undefined && { body: file }),
    ...(signal !== undefined && { signal }),
  });
}

/** Like `request`, for any URL and without credentials. */
export async function fetchJson<T>(url: URL, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    // Chromium lets a request wait for another one of the same URL that is under way, if its response may be cached.
    response = await fetch(url, { cache: 'no-store', ...init });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError(0, `${url.host} does not respond`);
  }
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(response.status, `the response is not JSON (status ${response.status})`);
  }
  if (!response.ok) throw new ApiError(response.status, String((body as { message?: unknown }).message));
  return body as T;
}

/** What an error response says. @returns it as an error */
export async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { message?: string };
  return new ApiError(response.status, body.message ?? `status ${response.status}`);
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
