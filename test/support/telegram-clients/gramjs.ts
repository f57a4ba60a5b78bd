import { createPublicKey } from 'node:crypto';
import bigInt from 'big-integer';
import telegram from 'telegram';
import RSA from 'telegram/crypto/RSA.js';
import connections from 'telegram/network/connection/index.js';
import proxies from 'telegram/network/connection/TCPMTProxy.js';
import sessions from 'telegram/sessions/index.js';
import type { RunningProtocolServer } from '../../../sandbox/mtproto/protocol-server.ts';
import { sandboxApiHash, sandboxApiId } from '../../../sandbox/world/logins/api-credentials.ts';

export const { Api, TelegramClient } = telegram;

const transports = {
  full: connections.ConnectionTCPFull,
  abridged: connections.ConnectionTCPAbridged,
  obfuscated: connections.ConnectionTCPObfuscated,
  mtproxy: proxies.ConnectionTCPMTProxyAbridged,
};

/** An unmodified GramJS that is pointed at a server on loopback: by a connection class, and by the server's key. */
export function gramJsClient(
  { ports, publicKeyPem, fingerprint }: RunningProtocolServer,
  transport: keyof typeof transports,
  session = new sessions.StringSession(''),
  proxy?: proxies.ProxyInterface,
): InstanceType<typeof TelegramClient> {
  const { n = '' } = createPublicKey(publicKeyPem).export({ format: 'jwk' });
  const modulus = bigInt(Buffer.from(n, 'base64url').toString('hex'), 16);
  RSA._serverKeys.set(fingerprint.toString(), { n: modulus, e: 65537 });
  // oxlint-disable-next-line typescript/no-explicit-any -- the class is abstract in its types and concrete in fact
  const Base: any = transports[transport];
  class LoopbackConnection extends Base {
    constructor(options: { dcId: number; port: number }) {
      super({ ...options, ip: '127.0.0.1', port: ports.get(options.dcId) ?? options.port });
    }
  }
  if (!session.serverAddress) session.setDC(2, '127.0.0.1', 443);
  return new TelegramClient(session, sandboxApiId, sandboxApiHash, {
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    connection: LoopbackConnection as any,
    baseLogger: new telegram.Logger('none' as never),
    securityChecks: true,
    ...(proxy ? { proxy } : {}),
  });
}
