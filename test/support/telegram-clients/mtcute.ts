import { MemoryStorage, TcpTransport, TelegramClient, type TelegramTransport } from '@mtcute/node';
import { addPublicKey, NodeCryptoProvider } from '@mtcute/node/utils.js';
import type { RunningProtocolServer } from '../../../sandbox/mtproto/protocol-server.ts';
import { sandboxApiHash, sandboxApiId } from '../../../sandbox/world/logins/api-credentials.ts';

/** An unmodified mtcute that is pointed at a server on loopback; `pfs` makes it talk through temporary keys. */
export async function mtcuteClient(
  { ports, publicKeyPem }: Pick<RunningProtocolServer, 'ports' | 'publicKeyPem'>,
  {
    pfs = false,
    storage = new MemoryStorage(),
    transport = new TcpTransport(),
  }: { pfs?: boolean; storage?: MemoryStorage; transport?: TelegramTransport } = {},
): Promise<TelegramClient> {
  const crypto = new NodeCryptoProvider();
  await crypto.initialize();
  addPublicKey(crypto, publicKeyPem);
  const dc = { id: 2, ipAddress: '127.0.0.1', port: ports.get(2) ?? 0 };
  return new TelegramClient({
    apiId: sandboxApiId,
    apiHash: sandboxApiHash,
    storage,
    defaultDcs: { main: dc, media: dc },
    crypto,
    transport,
    logLevel: 0,
    network: { usePfs: pfs },
  });
}
