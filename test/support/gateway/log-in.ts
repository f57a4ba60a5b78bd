import { setTimeout as pause } from 'node:timers/promises';
import type { TestSandbox } from '../sandbox/sandbox.ts';
import { type Answer, httpClient, readQr } from './gateway.ts';

const pollMs = 20;

/** A new session. What a gateway on a busy machine turns away is asked again. */
export async function createSessionAt(url: string): Promise<Answer> {
  for (;;) {
    const answer = await httpClient(url).request('POST', '/session');
    if (answer.status !== 503) return answer;
    await pause(pollMs);
  }
}

/** A new session of the gateway at an address, in real time, once that account is logged in to it; its headers. */
export async function logInAt(
  url: string,
  sandbox: Pick<TestSandbox, 'scan'>,
  userId: string,
): Promise<{ id: string; 'session-id': string }> {
  const http = httpClient(url);
  const { body } = await createSessionAt(url);
  const headers = { id: String(body['id']), 'session-id': String(body['sessionId']) };
  const read = async (): Promise<Record<string, unknown>> => (await http.request('GET', '/session', { headers })).body;
  for (let session = await read(); session['isConnected'] !== true; session = await read()) {
    const { qrcode = '' } = session;
    const link = qrcode === '' ? undefined : await readQr(String(qrcode));
    // Scanned once, it stays on show until Telegram has said so.
    if (link !== undefined) await sandbox.scan(link, userId).catch(() => {});
    await pause(pollMs);
  }
  return headers;
}
