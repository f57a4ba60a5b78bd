import { GatewayError } from '../../errors/gateway-error.ts';
import type { LivePayload } from '../../webhook/payload/live-payloads.ts';
import type { Payload } from '../../webhook/payload/payloads.ts';
import { ConnectedReader, type ReaderOutlet } from '../../webhook/readers/connected-reader.ts';
import { Handshakes } from '../../websocket/handshakes.ts';
import { closeCodes, SocketPeer } from '../../websocket/peer.ts';
import { credentialEnd } from '../access/credential-end.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { sendInvalid } from '../shared/error-responses.ts';
import { onUpgradeEnd, takeOver, type UpgradeOf } from '../websocket/upgrade.ts';
import { joinReader, type ReaderDeps } from './join-reader.ts';
import { readerWish } from './reader-wish.ts';
import { ReaderQuery } from './schemas.ts';

/** Of what a reader sends: `{ "ack": 17 }`. */
const maxPayloadBytes = 256;
/** While more than this is buffered for a reader, its next event waits in the store. */
const bufferedBytes = 16 * 1024;

export type ReaderSocketDeps = ReaderDeps & Pick<AppDeps, 'clock' | 'keys'>;

/** `WS /session/messages`: the same envelopes as the stream has, and acknowledgements (EV3). */
export function readerSocketRoute(app: App, deps: ReaderSocketDeps, upgradeOf: UpgradeOf, path: string): void {
  const handshakes = new Handshakes({ maxPayloadBytes, onInvalid: sendInvalid });
  const peers = new Set<SocketPeer>();
  const sendAway = (peer: SocketPeer): void => peer.close(closeCodes.goingAway, 'the service is shutting down');
  let isEnding = false;
  const onCredentialEnd = credentialEnd(deps);
  app.addHook('preClose', (done) => {
    isEnding = true;
    for (const peer of peers) sendAway(peer);
    done();
  });

  app.get(path, { schema: { querystring: ReaderQuery } }, async (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === undefined) throw new GatewayError(426, 'a websocket is needed');
    const { view, query, caller } = request;
    const wish = readerWish(query, caller);
    const leave = deps.streams.enter(`owner ${view.id}`);
    const after = query.after === undefined ? undefined : Number(query.after);
    const connection = new ConnectedReader(deps, view.id);
    const reader = await joinReader(deps, view.id, wish, after, connection).catch((error: unknown) => {
      leave();
      throw error;
    });
    reply.hijack();
    const client = handshakes.accept(takeOver(upgrade));
    onUpgradeEnd(upgrade, client === undefined ? 400 : 101);
    if (client === undefined) {
      leave();
      deps.readers.leave(view.id, reader);
      return reply;
    }
    const { id } = view;
    let forget: (() => void) | undefined;
    const peer: SocketPeer = new SocketPeer(client, {
      clock: deps.clock,
      bufferedBytes,
      onGone: () => {
        peers.delete(peer);
        forget?.();
        leave();
        deps.readers.leave(id, reader);
      },
    });
    peers.add(peer);
    // Its handshake had begun before.
    if (isEnding) sendAway(peer);
    forget = onCredentialEnd(request, () => peer.close(closeCodes.refused, 'the credentials have ended'));
    peer.onText((text) => {
      const seq = acknowledged(text);
      if (seq === undefined) peer.close(closeCodes.unsupported, 'an ack is needed');
      else deps.readers.acknowledge(id, reader, Math.min(seq, connection.sentUpTo));
    });
    connection.begin(reader, new SocketOutlet(peer));
    return reply;
  });
}

/** The number that a reader has acknowledged; undefined if it has sent something else. */
function acknowledged(text: string): number | undefined {
  try {
    const { ack } = JSON.parse(text) as { ack?: unknown };
    return typeof ack === 'number' && Number.isSafeInteger(ack) && ack >= 0 ? ack : undefined;
  } catch {
    return undefined;
  }
}

class SocketOutlet implements ReaderOutlet {
  readonly #peer: SocketPeer;

  constructor(peer: SocketPeer) {
    this.#peer = peer;
  }

  get isOver(): boolean {
    return this.#peer.isGone;
  }

  send(envelope: Payload | LivePayload): Promise<void> | undefined {
    return this.#peer.write(envelope);
  }

  end(how: 'done' | 'failed'): void {
    if (this.isOver) return;
    if (how === 'done') this.#peer.close(closeCodes.done, 'the session is deleted, or the reader has connected again');
    else this.#peer.close(closeCodes.failed, 'the events cannot be read');
  }
}
