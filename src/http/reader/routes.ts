import type { LivePayload } from '../../webhook/payload/live-payloads.ts';
import type { Payload } from '../../webhook/payload/payloads.ts';
import { ConnectedReader, type ReaderOutlet } from '../../webhook/readers/connected-reader.ts';
import type { App } from '../shared/app-types.ts';
import { lastEventId, type OpenStream, type ServerSentEvent } from '../shared/event-stream.ts';
import type { UpgradeOf } from '../websocket/upgrade.ts';
import { joinReader } from './join-reader.ts';
import { readerWish } from './reader-wish.ts';
import { ReaderQuery } from './schemas.ts';
import { type ReaderSocketDeps, readerSocketRoute } from './socket-route.ts';

export const readerSocketPath = '/session/messages';

/** What happens in the session's account, for those who cannot be called (EV3), inside its authentication. */
export function readerRoutes(app: App, deps: ReaderSocketDeps, upgradeOf: UpgradeOf): void {
  readerSocketRoute(app, deps, upgradeOf, readerSocketPath);
  app.get('/session/messages/stream', { schema: { querystring: ReaderQuery } }, async (request, reply) => {
    const { view, query, caller } = request;
    const wish = readerWish(query, caller);
    const after = lastEventId(request) ?? query.after;
    // With the session's other streams (NB3).
    const leave = deps.streams.enter(`owner ${view.id}`);
    const connection = new ConnectedReader(deps, view.id);
    try {
      const reader = await joinReader(deps, view.id, wish, after === undefined ? undefined : Number(after), connection);
      const stream = deps.streams.open(reply, () => {
        leave();
        deps.readers.leave(view.id, reader);
      });
      connection.begin(reader, new StreamOutlet(stream));
      return reply;
    } catch (error) {
      leave();
      throw error;
    }
  });
}

class StreamOutlet implements ReaderOutlet {
  readonly #stream: OpenStream;

  constructor(stream: OpenStream) {
    this.#stream = stream;
  }

  get isOver(): boolean {
    return this.#stream.isOver;
  }

  send(envelope: Payload | LivePayload): Promise<void> | undefined {
    return this.#stream.write(serverSent(envelope));
  }

  end(): void {
    this.#stream.end();
  }
}

/** What is not recorded has no number: a client that resumes names the last one that has. */
const serverSent = (payload: Payload | LivePayload): ServerSentEvent => ({
  ...('seq' in payload && { id: String(payload.seq) }),
  event: payload.type,
  data: JSON.stringify(payload),
});
