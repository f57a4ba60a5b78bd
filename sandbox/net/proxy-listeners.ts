import type { Socket } from 'node:net';
import { DcListeners } from './dc-listeners.ts';
import type { MtproxySecret } from './mtproxy-secret.ts';

/** The ports of MTProxies, each with a secret of its own: https://core.telegram.org/proxy */
export class ProxyListeners {
  private readonly byPort = new Map<number, DcListeners>();
  private readonly connected: (socket: Socket, secret: MtproxySecret) => void;

  constructor(connected: (socket: Socket, secret: MtproxySecret) => void) {
    this.connected = connected;
  }

  get ports(): number[] {
    return [...this.byPort.keys()];
  }

  /** Opens a port; 0: any free port. @returns the port */
  async open(secret: MtproxySecret, wanted = 0): Promise<number> {
    const listeners = new DcListeners((socket) => this.connected(socket, secret));
    const port = await listeners.open(0, wanted);
    this.byPort.set(port, listeners);
    return port;
  }

  /** Closes a port and resets its connections. @returns false if no proxy listens on it */
  async close(port: number): Promise<boolean> {
    const listeners = this.byPort.get(port);
    this.byPort.delete(port);
    return (await listeners?.close(port)) ?? false;
  }
}
