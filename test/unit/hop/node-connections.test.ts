import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NodeConnections } from '../../../src/hop/node-connections.ts';

it('[CL5.4] a connection to another node is probed after 5 silent seconds', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connections = new NodeConnections();
  // What the operating system does with it takes 15 seconds and a network that can be cut.
  const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  onTestFinished(async () => {
    setKeepAlive.mockRestore();
    await connections.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve, reject) => {
    const handler = {
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: () => {},
      onResponseEnd: () => resolve(),
      onResponseError: (_controller: unknown, error: Error) => reject(error),
    };
    connections.dispatch({ url }, { method: 'GET', path: '/', body: null }, handler);
  });
  expect(setKeepAlive.mock.calls).toEqual([[true, 5_000]]);
});
