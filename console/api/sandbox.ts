import { fetchJson } from './request.ts';

/** The control API of the sandbox that stands in for Telegram. It does what a person does on a phone. */

export interface SandboxAccount {
  userId: string;
  name: string;
  username: string;
  hasPassword: boolean;
  bot?: boolean;
  deleted?: boolean;
}

export interface SandboxChat {
  peer: string;
  kind: 'user' | 'group' | 'channel';
  title: string;
  unread: number;
  last?: { id: number; text: string; out: boolean; date: string; media: { kind: string } | null };
}

const sandboxEndpoint = (sandboxUrl: string, path: string): URL => new URL(path, sandboxUrl);

/** The accounts of people: bots and deleted accounts have no phone. */
export async function listSandboxAccounts(sandboxUrl: string): Promise<SandboxAccount[]> {
  const accounts = await fetchJson<SandboxAccount[]>(sandboxEndpoint(sandboxUrl, '/accounts'), {});
  return accounts.filter(({ bot, deleted }) => bot !== true && deleted !== true);
}

export const listSandboxChats = (sandboxUrl: string, userId: string, signal: AbortSignal): Promise<SandboxChat[]> =>
  fetchJson(sandboxEndpoint(sandboxUrl, `/accounts/${userId}/chats`), { signal });

/** @param qrcode PNG in base64, as `GET /session` returns it */
export async function scanQrCode(sandboxUrl: string, userId: string, qrcode: string): Promise<void> {
  await fetchJson(sandboxEndpoint(sandboxUrl, '/qr/scan'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId, qrcode }),
  });
}
