import { apiKey, secretOf } from './credentials.ts';

/** The gateway's root, whatever path it stands below: this page is its `console/`. */
export const root = new URL('../', location.href);

/** An answer that is none, or not the one hoped for. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** 0: no answer at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Options {
  body?: unknown;
  /** Whose credentials go along; without it the API key does. */
  session?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Headers that prove who asks. */
export function proof(session?: string): Record<string, string> {
  if (session !== undefined) return { id: session, 'session-id': secretOf(session) ?? '' };
  const key = apiKey();
  return key === null ? {} : { 'x-api-key': key };
}

/** @throws {ApiError} with the gateway's own words, and the signal's reason */
export async function request<T>(
  method: string,
  path: string,
  { body, session, signal, headers }: Options = {},
): Promise<T> {
  return requestAt<T>(new URL(path.replace(/^\//, ''), root), {
    method,
    headers: { ...proof(session), ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
}

export async function requestAt<T>(url: URL, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError(0, `${url.host} does not answer`);
  }
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ApiError(response.status, `the answer is no JSON (status ${response.status})`);
  }
  if (!response.ok) throw new ApiError(response.status, String((answer as { message?: unknown }).message));
  return answer as T;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
