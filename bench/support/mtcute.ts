import { MemoryStorage, TcpTransport, TelegramClient } from '@mtcute/node';
import { addPublicKey, NodeCryptoProvider } from '@mtcute/node/utils.js';
import { systemClock } from '../../src/config/clock.ts';
import { fetchSandboxNetwork } from '../../src/telegram/connection/network.ts';

/**
 * mtcute as it comes, pointed at the sandbox. Its clients keep their state in memory, and share what they can.
 * @param sandboxUrl the sandbox's control API
 * @returns makes clients that are not connected yet
 */
export async function mtcuteClients(sandboxUrl: string): Promise<() => TelegramClient> {
  const { apiId, apiHash, dcs, homeDc, publicKey } = await fetchSandboxNetwork(
    sandboxUrl,
    systemClock,
    AbortSignal.timeout(10_000),
  );
  const home = dcs.find(({ id }) => id === homeDc);
  if (home === undefined || publicKey === undefined) throw new Error('the sandbox has no data centre or no key');
  const crypto = new NodeCryptoProvider();
  await crypto.initialize();
  addPublicKey(crypto, publicKey);
  const transport = new TcpTransport();
  const dc = { id: home.id, ipAddress: home.host, port: home.port };
  return () =>
    new TelegramClient({
      apiId,
      apiHash,
      storage: new MemoryStorage(),
      defaultDcs: { main: dc, media: dc },
      crypto,
      transport,
      logLevel: 0,
    });
}
