import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** A port on which a data centre listens. */
export interface DcPort {
  dc: number;
  port: number;
}

/** The loopback ports of the data centres. They may change while the server runs, as Telegram's addresses do. */
export class DcListeners {
  private readonly listeners = new Map<number, { dc: number; server: Server; sockets: Set<Socket> }>();
  private readonly connected: (socket: Socket, dc: number) => void;

  constructor(connected: (socket: Socket, dc: number) => void) {
    this.connected = connected;
  }

  /** In the order in which they were opened. */
  get ports(): DcPort[] {
    return [...this.listeners].map(([port, { dc }]) => ({ dc, port }));
  }

  /** Opens one more port for a data centre; 0: any free port. @returns the port */
  async open(dc: number, wanted = 0): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      this.connected(socket, dc);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, HOST, resolve);
    });
    const { port } = server.address() as AddressInfo;
    this.listeners.set(port, { dc, server, sockets });
    return port;
  }

  /** Closes a port and resets its connections. @returns false if no data centre listens on it */
  async close(port: number): Promise<boolean> {
    const listener = this.listeners.get(port);
    if (listener === undefined) return false;
    this.listeners.delete(port);
    const closed = new Promise((resolve) => listener.server.close(resolve));
    for (const socket of listener.sockets) socket.resetAndDestroy();
    await closed;
    return true;
  }
}
