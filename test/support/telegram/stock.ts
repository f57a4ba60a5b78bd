import { Api, type TelegramClient } from 'telegram';
import { gramJsClient } from '../telegram-clients/gramjs.ts';
import { type Scene, scan, until } from './scene.ts';

/** GramJS as it comes, logged in: what shows that a defect is one. */
export async function stockLogin(scene: Scene, userId: string): Promise<TelegramClient> {
  const client = gramJsClient(scene.sandbox.protocol, 'full');
  client.onError = async () => undefined;
  await client.connect();
  const ask = (): Promise<Api.auth.TypeLoginToken> =>
    client.invoke(new Api.auth.ExportLoginToken({ apiId: client.apiId, apiHash: client.apiHash, exceptIds: [] }));
  const token = await ask();
  if (!(token instanceof Api.auth.LoginToken)) throw new Error('no token');
  await scan(scene, `tg://login?token=${Buffer.from(token.token).toString('base64url')}`, userId);
  await until(async () => (await ask()) instanceof Api.auth.LoginTokenSuccess);
  return client;
}

/** Leaves nothing of it running. */
export async function endStock(client: TelegramClient): Promise<void> {
  const inner = client as unknown as {
    _sender?: { _retries: number };
    _exportedSenderPromises: Map<number, Promise<{ _retries: number; disconnect(): Promise<void> }>>;
    _exportedSenderReleaseTimeouts: Map<number, NodeJS.Timeout>;
  };
  for (const timer of inner._exportedSenderReleaseTimeouts.values()) clearTimeout(timer);
  for (const sender of inner._exportedSenderPromises.values()) await (await sender).disconnect();
  if (inner._sender !== undefined) inner._sender._retries = 0;
  await client.destroy();
}

/** The raw updates that a stock client hands out. */
export function updatesOf(client: TelegramClient): unknown[] {
  const seen: unknown[] = [];
  client.addEventHandler((update: unknown) => void seen.push(update));
  return seen;
}

export { Api };
