import type { LivePayload } from '../../webhook/payload/live-payloads.ts';
import type { Payload } from '../../webhook/payload/payloads.ts';
import { ConnectedReader } from '../../webhook/readers/connected-reader.ts';
import type { App } from '../shared/app-types.ts';
import { lastEventId, type ServerSentEvent } from '../shared/event-stream.ts';
import type { UpgradeOf } from '../websocket/upgrade.ts';
import { joinReader, readEnvelopes } from './join-reader.ts';
import { ReaderQuery } from './schemas.ts';
import { type ReaderSocketDeps, readerSocketRoute } from './socket-route.ts';

export const readerSocketPath = '/session/messages';

/** What happens in the session's account, for those who cannot be called (EV3), inside its authentication. */
export function readerRoutes(app: App, deps: ReaderSocketDeps, upgradeOf: UpgradeOf): void {
  readerSocketRoute(app, deps, upgradeOf, readerSocketPath);
  app.get('/session/messages/stream', { schema: { querystring: ReaderQuery } }, async (request, reply) => {
    const { view, query } = request;
    const after = lastEventId(request) ?? query.after;
    const gone = new AbortController();
    const connection = new ConnectedReader(gone.signal);
    const reader = await joinReader(deps, view.id, query, after === undefined ? undefined : Number(after), connection);
    const left = (): void => {
      gone.abort();
      deps.readers.leave(view.id, reader);
    };
    try {
      // With the session's other streams (NB3).
      return deps.streams.send(reply, `owner ${view.id}`, async function* (signal) {
        if (signal.aborted) return left();
        signal.addEventListener('abort', left, { once: true });
        for await (const event of readEnvelopes(deps, view.id, reader, connection)) yield serverSent(event);
      });
    } catch (error) {
      left();
      throw error;
    }
  });
}

/** What is not recorded has no number: a client that resumes names the last one that has. */
const serverSent = (payload: Payload | LivePayload): ServerSentEvent => ({
  ...('seq' in payload && { id: String(payload.seq) }),
  event: payload.type,
  data: JSON.stringify(payload),
});
