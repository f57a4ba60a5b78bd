import { setTimeout as sleep } from 'node:timers/promises';

const retryMs = 50;

/**
 * JSON over HTTP. A 503 is retried: a gateway on a busy machine refuses requests before it has done anything.
 * @throws Error the response is another error
 */
export async function jsonCall<T>(
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
): Promise<T> {
  for (;;) {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
    if (response.status !== 503) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    await sleep(retryMs);
  }
}
