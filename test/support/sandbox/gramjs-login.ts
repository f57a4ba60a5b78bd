import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { Api, gramJsClient } from '../telegram-clients/gramjs.ts';
import { control } from './control-client.ts';

export type GramJsClient = ReturnType<typeof gramJsClient>;

/** Exports a login token. GramJS's own function for it has a loop around the call. */
export const exportLoginToken = (client: GramJsClient) =>
  client.invoke(new Api.auth.ExportLoginToken({ apiId: client.apiId, apiHash: client.apiHash, exceptIds: [] }));

/** Exports a token, scans it with the account's phone, and waits until the client gets `updateLoginToken`. */
export async function scanQr(sandbox: Sandbox, client: GramJsClient, userId: number): Promise<void> {
  const notified = new Promise<void>((resolve) => {
    client.addEventHandler((update: { className?: string }) => {
      if (update.className === 'UpdateLoginToken') resolve();
    });
  });
  const answer = await exportLoginToken(client);
  if (!(answer instanceof Api.auth.LoginToken)) throw new Error(`no token but ${answer.className}`);
  const link = `tg://login?token=${answer.token.toString('base64url')}`;
  const { status } = await control(sandbox, 'POST', '/qr/scan', { link, userId });
  if (status !== 200) throw new Error(`the scan was refused: ${status}`);
  await notified;
}

/** An unmodified GramJS, logged in by QR. The account must have no password and belong to data centre 2. */
export async function loggedInGramJs(sandbox: Sandbox, userId: number): Promise<GramJsClient> {
  const client = gramJsClient(sandbox.protocol, 'full');
  await client.connect();
  await scanQr(sandbox, client, userId);
  const { className } = await exportLoginToken(client);
  if (className !== 'auth.LoginTokenSuccess') throw new Error(`no login but ${className}`);
  return client;
}
