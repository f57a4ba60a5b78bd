import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

/** The server's limits for requests, and an upload that takes its time. */

let gate: TestApp;
let headers: SessionHeaders;
let socket: Socket;

beforeEach(async () => {
  gate = await startTestApp();
  headers = await gate.session();
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  socket.destroy();
  await gate.close();
});

/** Sends the head of a request and the beginning of its body. @returns the server's end of the connection */
async function begin(path: string): Promise<Socket> {
  const { port } = gate.app.server.address() as AddressInfo;
  const connected = once(gate.app.server, 'connection') as Promise<[Socket]>;
  const begun = once(gate.app.server, 'request');
  socket = connect(port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nid: ${headers.id}\r\nsession-id: ${headers['session-id']}\r\n` +
      'content-type: application/json\r\ncontent-length: 8\r\n\r\n',
  );
  const [own] = await connected;
  await begun;
  return own;
}
const answer = async (): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);
/** What Node does with a request that takes longer than the server's limit. */
const tellOfTimeout = (own: Socket): boolean =>
  gate.app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), own);

it('[MX1.12] an upload outlives the limit for requests', async () => {
  const own = await begin('/file');
  socket.write('some');
  tellOfTimeout(own);
  socket.write('more');
  expect(await answer()).toMatch(/^HTTP\/1\.1 200 [^]*"size":8/);
  // Its connection is one like others again.
  tellOfTimeout(own);
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 /);
});

it('[MX1.12] no other request does', async () => {
  const own = await begin('/session/reset');
  socket.write('some');
  tellOfTimeout(own);
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 /);
});

it('[MX1.13] an upload that stalls is answered, and its connection ends', async () => {
  const before = gate.clock.armed();
  await begin('/file');
  const answered = answer();
  const closed = once(socket, 'close');
  await expect.poll(() => gate.clock.armed()).toBe(before + 1);
  await gate.clock.advance(30_000);
  expect(await answered).toMatch(/^HTTP\/1\.1 408 [^]*"message":"request timeout"/);
  await closed;
});
