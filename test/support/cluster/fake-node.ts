import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Owners, ScriptedCluster } from './scripted-cluster.ts';

/** A node of which only its listener is there. */
export interface FakeNode {
  /** Connections that have sent something. */
  asked: Socket[];
  /** From now on nothing listens there. */
  close(): Promise<void>;
}

/** @param key what the node owns @param onRequest called with the first bytes of a connection */
export async function openFakeNode(
  owners: Owners,
  key: string,
  onRequest: (socket: Socket, first: Buffer) => void = () => {},
): Promise<FakeNode> {
  const asked: Socket[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', (first: Buffer) => {
      asked.push(socket);
      onRequest(socket, first);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  const fake = new ScriptedCluster('fake', owners, 0);
  Object.assign(fake.self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  owners.set(key, 'fake');
  return { asked, close };
}
