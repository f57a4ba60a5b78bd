import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Json, RecordedEvent } from '../../actors/ports/event-store.ts';
import type { ReadSessionDeps } from '../../actors/runtime/read-session.ts';
import { type SessionFact, sessionStream } from '../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import { factOf } from '../../actors/session/transition-event.ts';
import { withoutKeyName } from './audit-entry.ts';
import { readAudit } from './read-audit.ts';

const format = 'session-export/1';
/** Replaces secrets and personal data. */
const omitted = 'left out';

/** The log of one session as a file that can be passed on: it says what happened, without personal data. */
const SessionExport = Type.Object({
  format: Type.Literal(format),
  session: Type.String(),
  exported: Type.String(),
  events: Type.Array(
    Type.Object({
      revision: Type.Integer({ minimum: 0 }),
      id: Type.String(),
      type: Type.String(),
      /** Milliseconds since 1970. */
      created: Type.Number(),
      data: Type.Record(Type.String(), Type.Unknown()),
      metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
});
export type SessionExport = Static<typeof SessionExport>;

/**
 * Undefined if no event of the session is stored.
 * @param exportedAt milliseconds since 1970
 */
export async function exportSession(
  deps: ReadSessionDeps,
  id: string,
  exportedAt: number,
): Promise<SessionExport | undefined> {
  const events: SessionExport['events'] = [];
  for await (const event of readAudit(deps, id, 0)) {
    const { revision, type, created } = event;
    events.push({ revision, id: event.id, type, created, data: withoutSecrets(event), metadata: anonymous(event) });
  }
  if (events.length === 0) return undefined;
  return { format, session: id, exported: new Date(exportedAt).toISOString(), events };
}

/** The text is not that of an exported session. */
export class ExportFormatError extends Error {
  override name = 'ExportFormatError';
}

/** The events of an exported session, in the form of a store. @throws {ExportFormatError} */
export function eventsOfExport(text: string): RecordedEvent[] {
  const { session, events } = parse(text);
  return events.map(({ data, metadata, ...event }) => ({
    ...event,
    stream: sessionStream(session),
    position: BigInt(event.revision + 1),
    data: filledIn(data) as Json,
    metadata: metadata as Json,
  }));
}

/** Keeps the shape of a webhook without its texts. */
const filledIn = (data: Record<string, unknown>): Record<string, unknown> =>
  data['webhook'] === omitted ? { ...data, webhook: { url: omitted, token: omitted } } : data;

function parse(text: string): SessionExport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ExportFormatError('the file is not JSON', { cause });
  }
  if (!Value.Check(SessionExport, value)) throw new ExportFormatError(`the file is not a ${format}`);
  return value;
}

type FieldOf<Fact> = Fact extends SessionFact ? Exclude<keyof Fact, 'type'> : never;

/** Whether a field of a fact is exported: what the chart reads and what explains a transition is, secrets and people are not. */
const isExported: Readonly<Record<FieldOf<SessionFact>, boolean>> = {
  login: true,
  reason: true,
  method: true,
  epoch: true,
  by: true,
  expires: true,
  to: true,
  number: true,
  format: true,
  tenant: true,
  secretHash: false,
  key: false,
  pace: true,
  externalId: false,
  label: false,
  name: false,
  slot: true,
  metadata: false,
  webhook: false,
  link: false,
  phone: false,
  hint: false,
  account: false,
  picture: false,
  url: false,
};

/** Keeps the names of the fields that are left out. */
function withoutSecrets(event: RecordedSessionEvent): Record<string, unknown> {
  const { type: _, ...fields } = factOf(event);
  const shown = (name: string, value: unknown): unknown => {
    if (name === 'by') return withoutKeyName(String(value));
    return value === null || isExported[name as FieldOf<SessionFact>] ? value : omitted;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(name, value)]));
}

/** The names of machines and keys are left out. */
const anonymous = ({ metadata: { author, ...metadata } }: RecordedSessionEvent): Record<string, unknown> => ({
  ...metadata,
  ...(metadata.proxy !== undefined && { proxy: omitted }),
  by: 'gateway',
  ...(author !== undefined && { author: withoutKeyName(author) }),
});
