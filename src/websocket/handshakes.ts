import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';

/** Limit for a peer's answer to the closing handshake. */
const closeTimeoutMs = 2_000;

/** A request to become a WebSocket, and its connection. */
export interface Handshake {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

export interface HandshakesOptions {
  /** Of a message of a peer. */
  maxPayloadBytes: number;
  /** The one that is spoken, if a peer asks for one. */
  protocol?: string;
  /** Responds to an invalid handshake with a reason, and ends the connection. */
  onInvalid: (socket: Duplex, reason: string) => void;
}

/** Answers handshakes of WebSockets. */
export class Handshakes {
  readonly #server: WebSocketServer;

  constructor({ maxPayloadBytes, protocol, onInvalid }: HandshakesOptions) {
    const options: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maxPayloadBytes,
      closeTimeout: closeTimeoutMs,
      ...(protocol !== undefined && { handleProtocols: (asked) => asked.has(protocol) && protocol }),
    };
    this.#server = new WebSocketServer(options);
    this.#server.on('wsClientError', (error, socket) => onInvalid(socket, error.message));
  }

  /** Undefined if the handshake was invalid. */
  accept({ request, socket, head }: Handshake): WebSocket | undefined {
    let accepted: WebSocket | undefined;
    // Calls back at once, or never.
    this.#server.handleUpgrade(request, socket, head, (client) => {
      accepted = client;
    });
    return accepted;
  }
}
