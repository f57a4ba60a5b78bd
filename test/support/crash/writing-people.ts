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

/** Longer than a gateway on a busy machine takes to connect an account. */
const maxLoginPolls = 6000;

/**
 * Creates a session and logs Ann in. A gateway that turns a request away is asked again.
 * @throws with what the gateway said, if it refuses for good or the account is not connected in time.
 */
export async function loggedIn(sandbox: Sandbox, http: HttpClient): Promise<{ id: string; 'session-id': string }> {
  let headers: { id: string; 'session-id': string } | undefined;
  let isScanned = false;
  let said = '';
  for (let poll = 0; poll < maxLoginPolls; poll += 1) {
    const { status, body } = await (headers === undefined
      ? http.request<SessionBody>('POST', '/session', { body: {} })
      : http.request<SessionBody>('GET', '/session', { headers }));
    said = `${status} ${JSON.stringify(body)}`;
    if (status >= 400 && status < 500 && status !== 429) break;
    if (status === 200 && headers === undefined) headers = { id: body.id, 'session-id': body.sessionId };
    else if (status === 200 && headers !== undefined) {
      if (body.isConnected) return headers;
      // Empty while Telegram prepares it.
      if (body.qrcode && !isScanned) {
        await sandbox.scan(await readQr(body.qrcode), ann);
        isScanned = true;
      }
    }
    await pause(pollMs);
  }
  throw new Error(`Ann is not logged in: ${said}`);
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
