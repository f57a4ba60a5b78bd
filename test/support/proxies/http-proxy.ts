import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface HttpProxy {
  readonly port: number;
  /** What clients asked to be connected to, such as `127.0.0.1:4432`. */
  readonly targets: readonly string[];
  close(): Promise<void>;
}

/**
 * An HTTP proxy for CONNECT (RFC 9110, section 9.3.6) that connects to loopback only.
 * @param login that clients have to give, as `name:password`
 * @param from the loopback address that it connects from
 */
export async function startHttpProxy({ login, from = '127.0.0.1' }: { login?: string; from?: string } = {}) {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const wanted = login === undefined ? '' : `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createServer((client) => {
    keep(client).once('data', (head) => {
      const [, host = '', port = ''] = /^CONNECT (127[\d.]+):(\d+) HTTP/.exec(head.toString()) ?? [];
      if (host === '') return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      if (!head.toString().includes(wanted)) return void client.end('HTTP/1.1 407 Login Required\r\n\r\n');
      targets.push(`${host}:${port}`);
      const far = keep(connect({ host, port: Number(port), localAddress: from }));
      far.once('connect', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(far).pipe(client);
      });
      far.once('close', () => client.destroy());
      client.once('close', () => far.destroy());
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const proxy: HttpProxy = {
    port: (server.address() as AddressInfo).port,
    targets,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
