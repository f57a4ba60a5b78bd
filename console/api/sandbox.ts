import { requestAt } from './request.ts';

/** The control API of the sandbox that stands in for Telegram: what a person's phone does. */

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

const at = (sandboxUrl: string, path: string): URL => new URL(path, sandboxUrl);

/** Whoever has a phone. */
export async function sandboxAccounts(sandboxUrl: string): Promise<SandboxAccount[]> {
  const accounts = await requestAt<SandboxAccount[]>(at(sandboxUrl, '/accounts'), {});
  return accounts.filter(({ bot, deleted }) => bot !== true && deleted !== true);
}

export const sandboxChats = (sandboxUrl: string, userId: string, signal: AbortSignal): Promise<SandboxChat[]> =>
  requestAt(at(sandboxUrl, `/accounts/${userId}/chats`), { signal });

/** @param qrcode PNG in base64, as `GET /session` has it */
export async function scan(sandboxUrl: string, userId: string, qrcode: string): Promise<void> {
  await requestAt(at(sandboxUrl, '/qr/scan'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId, qrcode }),
  });
}
