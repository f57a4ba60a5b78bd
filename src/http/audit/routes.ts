import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import { auditEntry, type Reveal } from '../../audit/audit-entry.ts';
import { followAudit, resumeAt } from '../../audit/follow-audit.ts';
import { type Moment, readAudit, viewAtMoment } from '../../audit/read-audit.ts';
import { readSends } from '../../audit/read-sends.ts';
import type { SendEntry } from '../../audit/send-entry-schema.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { maySee } from '../access/caller.ts';
import { pastSessionObject } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type EventStreams, lastEventId, type ServerSentEvent } from '../shared/event-stream.ts';
import { defaultPageLimit } from '../shared/paging.ts';
import { readTime } from './read-time.ts';
import { AuditQuery, MomentQuery, type PastSession, StreamQuery } from './schemas.ts';

type Deps = Pick<AppDeps, 'store' | 'views' | 'sealer' | 'reportUnreadable' | 'clock'> & { streams: EventStreams };

/** The session of a request, and whether the caller may see personal data. */
type Subject = (request: FastifyRequest) => { id: string; isOwner: boolean };

/** For the session's owner: its events (AD1), its past states (AD2), its stream (AD3), its sends (AD7). */
export function auditRoutes(app: App, deps: Deps): void {
  addRoutes(app, '/session', deps, ({ view }) => ({ id: view.id, isOwner: true }));
}

/** The same with a key: deleted sessions too (AD4), without personal data. */
export function operatorAuditRoutes(app: App, deps: Deps): void {
  addRoutes(app, '/sessions/:id', deps, ({ params, caller }) => {
    const { id } = params as { id: string };
    const view = deps.views.get(id);
    if (view === undefined || !maySee(caller, view)) throw sessionNotFound();
    return { id, isOwner: false };
  });
}

/** The log is in the store, and each node reads it. */
const byAny = () => ({ answeredBy: 'any' }) as const;

const nothingRevealed: Pick<Sealer, 'open'> = { open: () => Promise.resolve(undefined) };

function addRoutes(app: App, prefix: string, deps: Deps, subjectOf: Subject): void {
  const revealing = ({ id, isOwner }: ReturnType<Subject>): Reveal | undefined =>
    isOwner ? (sealed) => deps.sealer.open(id, sealed) : undefined;

  app.get(`${prefix}/events`, { config: byAny(), schema: { querystring: AuditQuery } }, async (request) => {
    const subject = subjectOf(request);
    const { limit = defaultPageLimit } = request.query;
    let after = Number(request.query.after ?? 0);
    const docs = [];
    for await (const event of readAudit(deps, subject.id, after, Number(limit))) {
      docs.push(await auditEntry(event, revealing(subject)));
      after = event.revision + 1;
    }
    return { docs, after };
  });

  app.get(`${prefix}/sends`, { config: byAny(), schema: { querystring: AuditQuery } }, async (request) => {
    const { id } = subjectOf(request);
    const limit = Number(request.query.limit ?? defaultPageLimit);
    const after = Number(request.query.after ?? 0);
    const docs: SendEntry[] = [];
    for await (const entry of readSends(deps, id, after, deps.clock.now())) {
      docs.push(entry);
      if (docs.length === limit) break;
    }
    return { docs, after: docs.at(-1)?.seq ?? after };
  });

  app.get(
    `${prefix}/replay`,
    { config: byAny(), schema: { querystring: MomentQuery } },
    async (request): Promise<PastSession> => {
      const subject = subjectOf(request);
      const past = await viewAtMoment(deps, subject.id, momentOf(request.query));
      if (past === undefined) throw new GatewayError(404, 'nothing was recorded then');
      const { seq, created, state, reason, data } = await auditEntry(past.event);
      const session = await pastSessionObject(past, subject.isOwner ? deps.sealer : nothingRevealed);
      return { seq, created, state, since: data.since, reason, deadlines: data.deadlines, session };
    },
  );

  app.get(`${prefix}/stream`, { config: byAny(), schema: { querystring: StreamQuery } }, (request, reply) => {
    const subject = subjectOf(request);
    const after = Number(lastEventId(request) ?? request.query.after ?? 0);
    // An owner takes none of the operator's streams.
    const key = `${subject.isOwner ? 'owner' : 'operator'} ${subject.id}`;
    return deps.streams.send(reply, key, async function* (signal) {
      const first = await resumeAt(deps, subject.id, after);
      if (first !== after) yield { comment: `there is no event ${after}: the stream begins after ${first}` };
      yield* serverSent(followAudit(deps, subject.id, first, signal), revealing(subject));
    });
  });
}

/** Without either: now. @throws {GatewayError} 400 */
function momentOf({ seq, at }: Static<typeof MomentQuery>): Moment {
  if (seq !== undefined) return { seq: Number(seq) };
  if (at === undefined) return { at: Infinity };
  const ms = readTime(at);
  if (ms === undefined) throw new GatewayError(400, 'at must be an ISO 8601 time');
  return { at: ms };
}

async function* serverSent(
  events: AsyncIterable<RecordedSessionEvent>,
  reveal: Reveal | undefined,
): AsyncGenerator<ServerSentEvent> {
  for await (const event of events) {
    const entry = await auditEntry(event, reveal);
    yield { id: String(entry.seq), event: entry.type, data: JSON.stringify(entry) };
  }
}
