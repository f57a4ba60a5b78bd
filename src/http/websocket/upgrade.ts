import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { App } from '../shared/app-types.ts';

/**
 * The upgrade is done here and not by `@fastify/websocket` 11, which was tried and keeps the bodies of ER1 for requests
 * that a route refuses, but:
 * - it takes every request with an `Upgrade` header for a handshake, so `Upgrade: h2c` gets 400 on every route;
 * - it leaves a request that is pipelined behind another one without a response, and its connection open;
 * - a WebSocket that was opened never reaches `onResponse`: no line in the log, no count in the metrics (OP7).
 */

/** A caller that was refused, and does not close its end, is disconnected after this time. Node has no limit of its own then. */
const refusedMs = 2_000;

/** The upgrade that a request is; undefined if it is an ordinary one. */
export type UpgradeOf = (request: IncomingMessage) => Upgrade | undefined;

/** A WebSocket request while it passes through the routes like any other. */
export interface Upgrade {
  request: IncomingMessage;
  response: ServerResponse;
  socket: Socket;
  clock: Clock;
  /** Bytes that followed the request. */
  head: Buffer;
}

/**
 * Lets the routes of these paths handle WebSocket requests; the route takes the connection from here. With a listener,
 * Node passes every request with an `Upgrade` header; the others are put back without it, because a server may ignore
 * that header (RFC 9110, 7.8).
 */
export function takeUpgrades(app: App, clock: Clock, paths: readonly string[]): UpgradeOf {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // An earlier request on the connection is in flight: the responses would mix.
    if ((socket as { _httpMessage?: unknown })._httpMessage) {
      socket.destroy();
      return;
    }
    if (request.headers.upgrade?.toLowerCase() !== 'websocket' || !paths.includes(pathOf(request))) {
      putBack(app, request, socket, head);
      return;
    }
    socket.on('error', destroy);
    // Its caller has left. Node does not look after the connection any more, and would keep it half open.
    socket.on('end', destroy);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // If a route refused; otherwise another protocol owns the connection by then.
    response.once('finish', () => {
      if (response.socket !== null) endRefused(response.socket, clock);
    });
    upgrades.set(request, { request, response, socket, clock, head });
    app.routing(request, response);
  });
  return (request) => upgrades.get(request);
}

/** A listener of its own: one made for each connection would keep its request. */
function destroy(this: Socket): void {
  this.destroy();
}

/** Its caller has the time to read the response: if unread bytes of its own were there, it would lose that. */
function endRefused(socket: Socket, clock: Clock): void {
  const timer = clock.setTimeout(() => socket.destroy(), refusedMs);
  socket.once('close', () => clock.clearTimeout(timer));
  socket.end().resume();
}

/** Takes over the connection of an upgrade for another protocol. */
export function takeOver({ request, response, socket, head }: Upgrade): Omit<Upgrade, 'response' | 'clock'> {
  response.detachSocket(socket);
  socket.off('end', destroy);
  return { request, socket, head };
}

/** Reports the end of the request to the request log and the metrics. */
export function onUpgradeEnd({ response, socket, clock }: Upgrade, status: number): void {
  if (status !== 101) endRefused(socket, clock);
  response.statusCode = status;
  response.emit('finish');
  // Its connection belongs to another protocol: the request is over for those who count requests.
  response.emit('close');
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/\/?(?:\?.*)?$/, '');

function putBack(app: App, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name, value] = request.rawHeaders.slice(index, index + 2);
    if (name?.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}
