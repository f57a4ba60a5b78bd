import { GatewayError } from '../../errors/gateway-error.ts';
import { ConnectedReader } from '../../webhook/readers/connected-reader.ts';
import type { Reader } from '../../webhook/readers/reader-book.ts';
import { Handshakes } from '../../websocket/handshakes.ts';
import { closeCodes, SocketPeer } from '../../websocket/peer.ts';
import { credentialEnd } from '../access/credential-end.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { sendInvalid } from '../shared/error-responses.ts';
import { onUpgradeEnd, takeOver, type UpgradeOf } from '../websocket/upgrade.ts';
import { joinReader, type ReaderDeps, readEnvelopes } from './join-reader.ts';
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
  const onCredentialEnd = credentialEnd(deps);
  app.addHook('preClose', (done) => {
    for (const peer of peers) peer.close(closeCodes.goingAway, 'the service is shutting down');
    done();
  });

  app.get(path, { schema: { querystring: ReaderQuery } }, async (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === undefined) throw new GatewayError(426, 'a websocket is needed');
    const { view, query } = request;
    const gone = new AbortController();
    const connection = new ConnectedReader(gone.signal);
    const leave = deps.streams.enter(`owner ${view.id}`);
    const after = query.after === undefined ? undefined : Number(query.after);
    const reader = await joinReader(deps, view.id, query, after, connection).catch((error: unknown) => {
      leave();
      throw error;
    });
    reply.hijack();
    const client = handshakes.accept(takeOver(upgrade));
    onUpgradeEnd(upgrade, client === undefined ? 400 : 101);
    const left = (): void => {
      gone.abort();
      leave();
      deps.readers.leave(view.id, reader);
    };
    if (client === undefined) {
      left();
      return reply;
    }
    const peer = new SocketPeer(client, { clock: deps.clock, bufferedBytes });
    peers.add(peer);
    const forget = onCredentialEnd(request, () => peer.close(closeCodes.refused, 'the credentials have ended'));
    peer.signal.addEventListener('abort', () => {
      peers.delete(peer);
      forget();
      left();
    });
    peer.onText((text) => {
      const seq = acknowledged(text);
      if (seq === undefined) peer.close(closeCodes.unsupported, 'an ack is needed');
      else deps.readers.acknowledge(view.id, reader, seq);
    });
    void serve(deps, view.id, reader, connection, peer);
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

async function serve(
  deps: ReaderSocketDeps,
  sessionId: string,
  reader: Reader,
  connection: ConnectedReader,
  peer: SocketPeer,
): Promise<void> {
  try {
    for await (const event of readEnvelopes(deps, sessionId, reader, connection)) await peer.send(event);
    peer.close(closeCodes.done, 'the session is deleted, or the reader has connected again');
  } catch {
    // It has left, or the store is away: it connects again.
    if (!peer.signal.aborted) peer.close(closeCodes.failed, 'the events cannot be read');
  }
}
