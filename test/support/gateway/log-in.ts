import { setTimeout as pause } from 'node:timers/promises';
import type { TestSandbox } from '../sandbox/sandbox.ts';
import { httpClient, readQr } from './gateway.ts';

const pollMs = 20;

/** A new session of the gateway at an address, in real time, once that account is logged in to it; its headers. */
export async function logInAt(
  url: string,
  sandbox: Pick<TestSandbox, 'scan'>,
  userId: string,
): Promise<{ id: string; 'session-id': string }> {
  const http = httpClient(url);
  const { body } = await http.request('POST', '/session');
  const headers = { id: String(body['id']), 'session-id': String(body['sessionId']) };
  const read = async (): Promise<Record<string, unknown>> => (await http.request('GET', '/session', { headers })).body;
  for (let session = await read(); session['isConnected'] !== true; session = await read()) {
    const link = session['qrcode'] === '' ? undefined : await readQr(String(session['qrcode']));
    // Scanned once, it stays on show until Telegram has said so.
    if (link !== undefined) await sandbox.scan(link, userId).catch(() => {});
    await pause(pollMs);
  }
  return headers;
}
