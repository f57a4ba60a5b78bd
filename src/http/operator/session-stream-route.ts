import {
  type FollowChangesDeps,
  followChanges,
  type SessionChange,
  type UsageChange,
} from '../../audit/follow-changes.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import type { EventStreams, ServerSentEvent } from '../shared/event-stream.ts';
import { ChangesQuery } from './schemas.ts';

type Deps = FollowChangesDeps & Pick<AppDeps, 'views'> & { streams: EventStreams };

/** A position of the store, which fits into 64 bits. */
const positionPattern = /^\d{1,19}$/;

/** Sessions that an event of usage names: 4 KB. */
const maxNamedSessions = 100;

/** `GET /sessions/stream` (OS3), inside the authentication of `sessions:read`. */
export function sessionStreamRoute(app: App, deps: Deps): void {
  app.get('/sessions/stream', { schema: { querystring: ChangesQuery } }, ({ query, headers, caller }, reply) => {
    const last = headers['last-event-id'] ?? query.after ?? '';
    if (typeof last !== 'string' || (last !== '' && !positionPattern.test(last))) {
      throw new GatewayError(400, 'after must be the id of an event of this stream');
    }
    const after = last === '' ? deps.views.position : BigInt(last);
    const wanted = {
      after,
      tenant: caller.powers.tenant,
      isEvery: query.events === 'all',
      isUsage: query.usage === 'true',
    };
    return deps.streams.send(reply, `changes ${caller.keyId ?? caller.name}`, async function* (signal) {
      for await (const change of followChanges(deps, wanted, signal)) {
        yield 'used' in change ? usageSent(change) : sessionSent(change);
      }
    });
  });
}

function usageSent({ position, at, used }: UsageChange): ServerSentEvent {
  const data = JSON.stringify({ sessions: [...used].slice(0, maxNamedSessions), count: used.size, created: iso(at) });
  return { id: position.toString(), event: 'UsageRecorded', data };
}

function sessionSent({ event, view: { id, externalId = '', label = '' } }: SessionChange): ServerSentEvent {
  const { at, to: state, reason } = event.metadata;
  const data = JSON.stringify({ id, seq: event.revision + 1, state, reason, externalId, label, created: iso(at) });
  return { id: event.position.toString(), event: event.type, data };
}
