import { setTimeout as pause } from 'node:timers/promises';
import type { SessionBody } from '../e2e/scene.ts';
import { type HttpClient, readQr } from '../gateway/gateway.ts';
import type { TestSandbox } from '../sandbox/sandbox.ts';

/** People who write with Ann, and what goes wrong meanwhile, for tests that kill the gateway. */

export const ann = '1001';
export const pollMs = 20;
/** Texts that the gateway sends begin so; those of the phones with anything else. */
export const own = 'gateway';

type Sandbox = Pick<TestSandbox, 'call' | 'scan'>;

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(pollMs);
}

export function chaos(draw: number): object {
  if (draw < 0.4) return { loseUpdates: 2 };
  return draw < 0.7 ? { duplicateUpdates: 2 } : { reorderUpdates: 3 };
}

export async function addPerson(sandbox: Sandbox, index: number): Promise<string> {
  const account = { firstName: `Writer ${index}`, username: `writer${index}`, phone: `1666000000${index}` };
  const { userId } = await sandbox.call<{ userId: string }>('POST', '/accounts', account);
  await sandbox.call('POST', `/accounts/${userId}/messages`, { peer: ann, text: 'hello' });
  return userId;
}

export async function loggedIn(sandbox: Sandbox, http: HttpClient): Promise<{ id: string; 'session-id': string }> {
  const { body: created } = await http.request<SessionBody>('POST', '/session', { body: {} });
  const headers = { id: created.id, 'session-id': created.sessionId };
  for (let scanned = false; ; ) {
    const { body } = await http.request<SessionBody>('GET', '/session', { headers });
    if (body.isConnected) return headers;
    // Empty while Telegram prepares it; missing where the gateway asks for patience.
    if (body.qrcode && !scanned) {
      await sandbox.scan(await readQr(body.qrcode), ann);
      scanned = true;
    }
    await pause(pollMs);
  }
}

/** What Ann sees in the chat, oldest first, but for what is from before the webhook and what the gateway sent. */
export async function written(sandbox: Sandbox, other: string): Promise<string[]> {
  const path = `/accounts/${ann}/messages?peer=${other}&limit=1000`;
  const messages = await sandbox.call<{ id: number | string; text: string }[]>('GET', path);
  return messages
    .filter(({ text }) => text !== 'hello' && !text.startsWith(own))
    .map(({ id, text }) => `${id} ${text}`)
    .toReversed();
}
