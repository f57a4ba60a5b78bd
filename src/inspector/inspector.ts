import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocketServer } from 'ws';
import type { Clock } from '../../actors/ports/clock.ts';
import { protocol } from './given-key.ts';
import { type ShownSessionsDeps, showAllSessions, showSession } from './show-sessions.ts';
import { closeCodes, Viewer } from './viewer.ts';

/** Maximum number of viewers: each gets every message. */
const maxViewers = 16;
/** Messages of viewers are ignored. */
const maxPayloadBytes = 1024;
/** Limit for a viewer's answer to the closing handshake. */
const closeTimeoutMs = 2_000;

export interface InspectorDeps extends ShownSessionsDeps {
  clock: Clock;
  log: {
    info: (fields: object, message: string) => void;
    error: (fields: object, message: string) => void;
  };
}

/** The request of a viewer: all sessions, or one, as it is or from its start. */
export interface InspectorRequest {
  session?: string;
  replay: boolean;
  /** Only its sessions. Default: all. */
  tenant?: string | undefined;
  /** Calls the listener once the key of the viewer has ended. @returns a function that removes the listener */
  onKeyEnd: (listener: () => void) => () => void;
}

/** A request to become a WebSocket, and its connection. */
export interface Handshake {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Shows running sessions to viewers in the protocol of Stately's inspector. */
export class Inspector {
  readonly #deps: InspectorDeps;
  readonly #server: WebSocketServer;
  readonly #viewers = new Set<Viewer>();

  /** @param onInvalid responds to an invalid handshake with a reason, and ends the connection */
  constructor(deps: InspectorDeps, onInvalid: (socket: Duplex, reason: string) => void) {
    this.#deps = deps;
    const options: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maxPayloadBytes,
      closeTimeout: closeTimeoutMs,
      handleProtocols: (protocols) => protocols.has(protocol) && protocol,
    };
    this.#server = new WebSocketServer(options);
    this.#server.on('wsClientError', (error, socket) => onInvalid(socket, error.message));
  }

  get isFull(): boolean {
    return this.#viewers.size >= maxViewers;
  }

  /** @returns whether the handshake was valid */
  accept({ request, socket, head }: Handshake, wish: InspectorRequest): boolean {
    let isProper = false;
    // Calls back at once, or never.
    this.#server.handleUpgrade(request, socket, head, (client) => {
      isProper = true;
      void this.#serve(new Viewer(client, this.#deps.clock), wish);
    });
    return isProper;
  }

  /** Closes all viewers. */
  close(): void {
    for (const viewer of this.#viewers) viewer.close(closeCodes.goingAway, 'the service is shutting down');
  }

  async #serve(viewer: Viewer, { session, replay, tenant, onKeyEnd }: InspectorRequest): Promise<void> {
    const { log } = this.#deps;
    this.#viewers.add(viewer);
    const forget = onKeyEnd(() => viewer.close(closeCodes.refused, 'the key has ended'));
    viewer.signal.addEventListener('abort', () => {
      this.#viewers.delete(viewer);
      forget();
      log.info({ session }, 'an inspector has left');
    });
    log.info({ session, replay }, 'an inspector has connected');
    try {
      await (session === undefined
        ? showAllSessions(this.#deps, viewer, tenant)
        : showSession(this.#deps, session, replay, viewer));
      viewer.close(closeCodes.done, 'the session is deleted');
    } catch (err) {
      if (viewer.signal.aborted) return;
      log.error({ where: 'inspector', session, err }, 'showing sessions to an inspector failed');
      viewer.close(closeCodes.failed, 'the sessions cannot be read');
    }
  }
}
