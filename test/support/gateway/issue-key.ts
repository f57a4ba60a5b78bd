import type { KeyScope } from '../../../src/keys/scopes.ts';
import type { TestApp } from './http-app.ts';

/** The owner's key of test apps that have keys. */
export const ownerKey = 'the key of the owner';
export const asOwner = { 'x-api-key': ownerKey };

export interface HeldKey {
  id: string;
  key: string;
  headers: { 'x-api-key': string };
}

/** A key that the owner issues, or another holder. @throws where it is refused */
export async function issueKey(
  { call }: Pick<TestApp, 'call'>,
  scopes: readonly KeyScope[],
  more: { name?: string; tenant?: string; expires?: string; limits?: object; chats?: readonly string[] } = {},
  by: Record<string, string> = asOwner,
): Promise<HeldKey> {
  const { status, body } = await call('POST', '/keys', { headers: by, body: { name: 'desk', scopes, ...more } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { id, key } = body as { id: string; key: string };
  return { id, key, headers: { 'x-api-key': key } };
}

/** A session that the holder of a key creates: its headers. */
export async function createAs(
  { call }: Pick<TestApp, 'call'>,
  { headers }: Pick<HeldKey, 'headers'>,
): Promise<{ id: string; 'session-id': string }> {
  const { status, body } = await call('POST', '/session', { headers });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { id: String(body['id']), 'session-id': String(body['sessionId']) };
}
