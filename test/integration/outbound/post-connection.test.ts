import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { Connections } from '../../../src/outbound/connections.ts';
import { PostConnection } from '../../../src/outbound/post-connection.ts';
import { parseRequestUrl } from '../../../src/outbound/request-url.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';

let clock: DrivenClock;
let server: Server;
let port: number;

beforeEach(async () => {
  clock = createDrivenClock();
  // It answers before anything is asked.
  server = createServer((socket) => {
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => {
  server.close();
});

async function connected(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

it('[WH4] a connection that has been closed is never free again, whatever had come over it', async () => {
  const socket = await connected();
  await vi.waitUntil(() => socket.readableLength > 0);
  const onFree = vi.fn<() => void>();
  const onClosed = vi.fn<() => void>();
  const connection = new PostConnection(socket, clock, { onFree, onClosed });
  const signal = new LightAbort();
  signal.abort(new Error('closing'));
  await expect(connection.ask('', { until: clock.now() + 10_000, signal })).rejects.toThrow(/^closing$/);
  await once(socket, 'close');
  expect(onClosed).toHaveBeenCalledTimes(1);
  expect(onFree).not.toHaveBeenCalled();
  expect(clock.armed()).toBe(0);
});

it('[WH4] nothing is asked over a connection that is opened as all is closed', async () => {
  const socket = await connected();
  const connections = new Connections(() => Promise.resolve(socket), clock);
  const wait = { until: clock.now() + 10_000, signal: undefined };
  const outcome = connections.ask(parseRequestUrl(`http://127.0.0.1:${port}/`), '', wait);
  connections.close();
  await expect(outcome).rejects.toThrow(/^the connection was lost$/);
  expect(socket.destroyed).toBe(true);
  expect(clock.armed()).toBe(0);
});
