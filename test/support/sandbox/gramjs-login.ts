import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { Api, gramJsClient } from '../telegram-clients/gramjs.ts';
import { control } from './control-client.ts';

export type GramJsClient = ReturnType<typeof gramJsClient>;

/** Asks for a login token; GramJS has no call of its own for it without a loop around. */
export const askForLogin = (client: GramJsClient) =>
  client.invoke(new Api.auth.ExportLoginToken({ apiId: client.apiId, apiHash: client.apiHash, exceptIds: [] }));

/** The account's phone scans what the client shows, and the client hears of it. */
export async function scanned(sandbox: Sandbox, client: GramJsClient, userId: number): Promise<void> {
  const told = new Promise<void>((resolve) => {
    client.addEventHandler((update: { className?: string }) => {
      if (update.className === 'UpdateLoginToken') resolve();
    });
  });
  const answer = await askForLogin(client);
  if (!(answer instanceof Api.auth.LoginToken)) throw new Error(`no token but ${answer.className}`);
  const link = `tg://login?token=${answer.token.toString('base64url')}`;
  const { status } = await control(sandbox, 'POST', '/qr/scan', { link, userId });
  if (status !== 200) throw new Error(`the scan was refused: ${status}`);
  await told;
}

/** An unmodified GramJS, logged in by QR; the account must have no password and live in data centre 2. */
export async function loggedInGramJs(sandbox: Sandbox, userId: number): Promise<GramJsClient> {
  const client = gramJsClient(sandbox.protocol, 'full');
  await client.connect();
  await scanned(sandbox, client, userId);
  const { className } = await askForLogin(client);
  if (className !== 'auth.LoginTokenSuccess') throw new Error(`no login but ${className}`);
  return client;
}
