import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Socks5Options {
  /** The user name and password that clients have to give; none if left out. */
  user?: { name: string; password: string };
  /** The loopback address that the proxy connects from. */
  from?: string;
}

export interface Socks5Server {
  readonly port: number;
  /** What clients asked to be connected to, such as `127.0.0.1:4432`. */
  readonly targets: readonly string[];
  /** `refuse`: it connects to nothing; `drop`: it never answers; both hold for new connections. */
  mode: 'serve' | 'refuse' | 'drop';
  /** Connections that go through it now. */
  readonly open: number;
  close(): Promise<void>;
}

const version = 5;
const noUser = 0;
const userAndPassword = 2;
const noMethod = 0xff;
const connectCommand = 1;
const ipv4 = 1;
const loopback = /^127\./;

/** A SOCKS5 proxy (RFC 1928 and 1929) that connects to loopback only. */
export async function startSocks5({ user, from = '127.0.0.1' }: Socks5Options = {}): Promise<Socks5Server> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };

  async function serve(client: Socket): Promise<void> {
    const read = reader(client);
    if (proxy.mode === 'drop') return void (await read(Infinity));
    const [, methodCount = 0] = await read(2);
    const methods = await read(methodCount);
    const method = user ? userAndPassword : noUser;
    client.write(Buffer.from([version, methods.includes(method) ? method : noMethod]));
    if (!methods.includes(method)) return void client.end();
    if (user) {
      const name = await read((await read(2))[1] ?? 0);
      const password = await read((await read(1))[0] ?? 0);
      const isRight = name.toString() === user.name && password.toString() === user.password;
      client.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) return void client.end();
    }
    const [, command, , addressType] = await read(4);
    const host = addressType === ipv4 ? (await read(4)).join('.') : '';
    const port = (await read(2)).readUInt16BE();
    const answer = (code: number): boolean => client.write(Buffer.from([version, code, 0, ipv4, 0, 0, 0, 0, 0, 0]));
    if (command !== connectCommand || !loopback.test(host) || proxy.mode === 'refuse') {
      answer(2);
      return void client.end();
    }
    targets.push(`${host}:${port}`);
    const server = keep(connect({ host, port, localAddress: from }));
    server.once('connect', () => {
      open += 1;
      answer(0);
      client.pipe(server).pipe(client);
    });
    server.once('close', () => client.destroy());
    client.once('close', () => {
      if (!server.connecting) open -= 1;
      server.destroy();
    });
  }

  let open = 0;
  const server = createServer((client) => {
    serve(keep(client)).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const proxy: Socks5Server = {
    port: (server.address() as AddressInfo).port,
    targets,
    mode: 'serve',
    get open() {
      return open;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}

/** Reads exact numbers of bytes. Rejects when the client ends the connection before. */
function reader(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    for (;;) {
      const bytes = count === 0 ? Buffer.alloc(0) : (socket.read(count) as Buffer | null);
      if (bytes) return bytes;
      if (socket.readableEnded || socket.destroyed) throw new Error('the connection has ended');
      await new Promise<void>((resolve) => {
        socket.once('readable', resolve);
        socket.once('close', resolve);
      });
    }
  };
}
