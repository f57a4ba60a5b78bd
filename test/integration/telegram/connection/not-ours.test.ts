import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DialAttempt } from '../../../../src/telegram/connection/dialler.ts';
import { tcpConnectionTo } from '../../../../src/telegram/gramjs/library/tcp-connection.ts';
import { NotOursError } from '../../../../src/telegram/gramjs/library/tcp-socket.ts';

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** An attempt to the server that notes what is said of it. */
function dialled(): { said: string[]; attempt: DialAttempt } {
  const said: string[] = [];
  const say = (what: string) => () => void said.push(what);
  const { port } = server.address() as AddressInfo;
  const attempt: DialAttempt = {
    address: { id: 2, host: '127.0.0.1', port },
    isPending: true,
    isUnroutable: false,
    answered: say('answered'),
    tooMany: say('too many'),
    refused: say('refused'),
    withdrawn: say('withdrawn'),
    unroutable: say('unroutable'),
    silent: say('silent'),
  };
  return { said, attempt };
}

it('[CL3.1] a connection that its process may not open is withdrawn: Telegram has not refused it', async () => {
  const { said, attempt } = dialled();
  const connection = tcpConnectionTo(attempt, { mayWrite: () => false });
  await expect(connection.connect()).rejects.toThrow(NotOursError);
  expect(said).toEqual(['withdrawn']);
});

it('[CL3.1] so is one that its process may not use any more', async () => {
  const { said, attempt } = dialled();
  let mayWrite = true;
  const connection = tcpConnectionTo(attempt, { mayWrite: () => mayWrite });
  await connection.connect();
  mayWrite = false;
  await expect(connection.send(Buffer.alloc(16))).rejects.toThrow(NotOursError);
  expect(said).toEqual(['withdrawn']);
  await connection.disconnect();
});
