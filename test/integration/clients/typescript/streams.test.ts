import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Gateway, GatewayError, SessionNotFoundError } from '../../../../clients/typescript/src/index.ts';
import { startWebServer } from '../../../support/kit/web-server.ts';

/** A gateway whose connections break when the test says so. The real one is in `reading.test.ts`. */

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const event = (seq: number): string => `id: ${seq}\nevent: message\ndata: {"seq":${seq}}\n\n`;

async function serving(handler: (request: IncomingMessage, response: ServerResponse, turn: number) => void) {
  let turn = 0;
  const server = await startWebServer((request, response) => handler(request, response, (turn += 1)));
  closing.push(() => server.close());
  return new Gateway({ baseUrl: server.url }).session({ id: 'a', sessionId: 'b' });
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'x-error-code': code, 'content-type': 'application/json' });
  response.end(JSON.stringify({ statusCode: status, message: code }));
};

async function seqsOf(events: AsyncIterable<unknown>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const one of events) seqs.push((one as { seq: number }).seq);
  return seqs;
}

describe('a stream', () => {
  it('[TC1.7] goes on behind the last event over connections that break in any way, and ends with the session', async () => {
    const asked: string[] = [];
    const session = await serving((request, response, turn) => {
      asked.push([request.headers['last-event-id'] ?? '-', request.headers['session-id']].join(' '));
      if (turn === 3) return refuse(response, 503, 'starting');
      if (turn === 5) return refuse(response, 404, 'session_not_found');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 2000\n\n${event(turn * 2 - 1)}`);
      // In the middle of an event; at its end; as the gateway ends it.
      if (turn === 1) response.write('id: 9\nda', () => request.socket.destroy());
      else if (turn === 2) response.write(event(turn * 2), () => request.socket.destroy());
      else response.end(event(turn * 2));
    });
    expect(await seqsOf(session.streamMessages({ reader: 'desk' }))).toEqual([1, 3, 4, 7, 8]);
    expect(asked).toEqual(['- b', '1 b', '4 b', '4 b', '8 b']);
  });

  it('[TC1.7] of an unknown session is an error, and so is one that the gateway refuses', async () => {
    for (const [status, code] of [
      [404, 'session_not_found'],
      [400, 'invalid_request'],
    ] as const) {
      const session = await serving((_request, response) => refuse(response, status, code));
      const failure = await seqsOf(session.streamMessages({ reader: 'desk' })).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(status === 404 ? SessionNotFoundError : GatewayError);
      expect((failure as GatewayError).code).toBe(code);
    }
  });

  it('[TC1.7] leaves no connection behind when its loop is left, or its signal is aborted', async () => {
    const ended: Promise<unknown>[] = [];
    const session = await serving((request, response) => {
      ended.push(once(request.socket, 'close'));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(1));
    });
    for await (const one of session.streamMessages({ reader: 'desk' })) if (one) break;
    await ended[0];
    const ending = new AbortController();
    const reading = seqsOf(
      (async function* () {
        for await (const one of session.streamMessages({ reader: 'desk' }, { signal: ending.signal })) {
          yield one;
          ending.abort(new Error('enough'));
        }
      })(),
    );
    await expect(reading).rejects.toThrow('enough');
    await ended[1];
    expect(ended).toHaveLength(2);
  });
});

describe('a WebSocket', () => {
  interface Handshake {
    request: IncomingMessage;
    turn: number;
    accept: () => WebSocket;
  }

  /** @param refusal of requests without a handshake: what the gateway says of the session */
  async function accepting(onHandshake: (handshake: Handshake) => void, refusal: () => [number, string]) {
    const sockets = new WebSocketServer({ noServer: true });
    let turn = 0;
    const server = createServer((_request, response) => refuse(response, ...refusal()));
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const accept = (): WebSocket => {
        let accepted: WebSocket | undefined;
        sockets.handleUpgrade(request, socket, head, (opened) => {
          accepted = opened;
        });
        if (!accepted) throw new Error('the handshake is wrong');
        return accepted;
      };
      turn += 1;
      onHandshake({ request, turn, accept });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => void server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    return new Gateway({ baseUrl: `http://127.0.0.1:${port}` }).session({ id: 'a', sessionId: 'b' });
  }

  it('[TC1.7] acknowledges what was dealt with, goes on behind it, and ends with the session', async () => {
    const asked: string[] = [];
    const acks: string[] = [];
    let isDeleted = false;
    const session = await accepting(
      ({ request, turn, accept }) => {
        asked.push([request.url, request.headers['session-id']].join(' '));
        if (turn === 3) {
          isDeleted = true;
          request.socket.destroy();
          return;
        }
        const socket = accept();
        socket.on('message', (data: Buffer) => void acks.push(data.toString()));
        for (const seq of [turn * 2 - 1, turn * 2]) socket.send(JSON.stringify({ seq }));
        // After the second event has been dealt with.
        socket.on('message', () => {
          if (acks.length === turn * 2) socket.terminate();
        });
      },
      () => (isDeleted ? [404, 'session_not_found'] : [426, 'upgrade_required']),
    );
    expect(await seqsOf(session.readMessages({ reader: 'desk', chats: ['1', '2'] }, { WebSocket }))).toEqual([
      1, 2, 3, 4,
    ]);
    expect(acks).toEqual(['{"ack":1}', '{"ack":2}', '{"ack":3}', '{"ack":4}']);
    const path = '/session/messages?reader=desk&chats=1%2C2';
    expect(asked).toEqual([`${path} b`, `${path}&after=2 b`, `${path}&after=4 b`]);
  });

  it('[TC1.7] that is refused says why', async () => {
    const session = await accepting(
      ({ request }) => void request.socket.destroy(),
      () => [400, 'invalid_request'],
    );
    const failure = await seqsOf(session.readMessages({ reader: '' }, { WebSocket })).catch((error: unknown) => error);
    expect((failure as GatewayError).code).toBe('invalid_request');
  });

  it('[TC1.7] ends with its signal, and with its loop', async () => {
    const closed: Promise<unknown>[] = [];
    const session = await accepting(
      ({ accept }) => {
        const socket = accept();
        closed.push(once(socket, 'close'));
        socket.send('{"seq":1}');
      },
      () => [426, 'upgrade_required'],
    );
    for await (const one of session.readMessages({ reader: 'desk' }, { WebSocket })) if (one) break;
    const ending = new AbortController();
    const reading = (async () => {
      for await (const one of session.readMessages({ reader: 'desk' }, { WebSocket, signal: ending.signal })) {
        if (one) ending.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });

  it.skipIf('WebSocket' in globalThis)(
    '[TC1.7] says where one comes from if there is none, as in Node 20',
    async () => {
      const session = new Gateway().session({ id: 'a' });
      const failure = await seqsOf(session.readMessages({ reader: 'desk' })).catch((error: unknown) => error);
      expect(String(failure)).toContain('in Node 20 the option `WebSocket`');
    },
  );
});
