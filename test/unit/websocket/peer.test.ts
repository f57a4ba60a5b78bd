import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { SocketPeer } from '../../../src/websocket/peer.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';

it('[IN2.3] what waits for a slow viewer waits in the store, not in memory', async () => {
  const server = new WebSocketServer({ port: 0 });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [[WebSocket], unknown];
  client.pause();
  const viewer = new SocketPeer(socket, { clock: createDrivenClock(), bufferedBytes: 1024 * 1024 });
  const message = { type: '@xstate.actor', name: 'x'.repeat(100_000) };
  const most = 1000;
  let sent = 0;
  const sending = (async () => {
    for (; sent < most; sent++) await viewer.send(message);
  })();
  for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
  expect(sent).toBeGreaterThan(5);
  expect(sent).toBeLessThan(most);
  expect(socket.bufferedAmount).toBeLessThan(2 * 1024 * 1024);
  client.terminate();
  await expect(sending).rejects.toThrow('aborted');
  server.close();
});
