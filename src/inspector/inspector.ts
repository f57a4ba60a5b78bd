import type { Duplex } from 'node:stream';
import type { Clock } from '../../actors/ports/clock.ts';
import { type Handshake, Handshakes } from '../websocket/handshakes.ts';
import { closeCodes, SocketPeer } from '../websocket/peer.ts';
import { protocol } from './given-key.ts';
import { type ShownSessionsDeps, showAllSessions, showSession } from './show-sessions.ts';

/** Maximum number of viewers: each gets every message. */
const maxViewers = 16;
/** Messages of viewers are ignored. */
const maxPayloadBytes = 1024;
/** While more than this is buffered for a viewer, the next message waits. */
const bufferedBytes = 1024 * 1024;

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

/** Shows running sessions to viewers in the protocol of Stately's inspector. */
export class Inspector {
  readonly #deps: InspectorDeps;
  readonly #handshakes: Handshakes;
  readonly #viewers = new Set<SocketPeer>();
  #isClosed = false;

  /** @param onInvalid responds to an invalid handshake with a reason, and ends the connection */
  constructor(deps: InspectorDeps, onInvalid: (socket: Duplex, reason: string) => void) {
    this.#deps = deps;
    this.#handshakes = new Handshakes({ maxPayloadBytes, protocol, onInvalid });
  }

  get isFull(): boolean {
    return this.#viewers.size >= maxViewers;
  }

  /** @returns whether the handshake was valid */
  accept(handshake: Handshake, wish: InspectorRequest): boolean {
    const client = this.#handshakes.accept(handshake);
    if (client === undefined) return false;
    const viewer = new SocketPeer(client, { clock: this.#deps.clock, bufferedBytes });
    if (this.#isClosed) sendAway(viewer);
    else void this.#serve(viewer, wish);
    return true;
  }

  /** Closes all viewers, and those that come later. */
  close(): void {
    this.#isClosed = true;
    for (const viewer of this.#viewers) sendAway(viewer);
  }

  async #serve(viewer: SocketPeer, { session, replay, tenant, onKeyEnd }: InspectorRequest): Promise<void> {
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

const sendAway = (viewer: SocketPeer): void => viewer.close(closeCodes.goingAway, 'the service is shutting down');
