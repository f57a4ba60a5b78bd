import type { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { sessionIdOf } from '../../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import { wants } from '../filter/event-filter.ts';
import type { ToldEvent } from '../filter/session-event.ts';
import type { Wanted } from '../filter/wanted.ts';
import { deliveryStream, isOwnFact, ownFactOf, type PlacedEvent } from '../stream/delivery-events.ts';
import { endOfDeliveries } from '../stream/read-deliveries.ts';
import { type MakeEventsDeps, makeOwnEvent } from './make-events.ts';
import { markEvents, markedEnd } from './mark-events.ts';

export interface RecordSessionEventDeps extends MakeEventsDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  clock: Pick<Clock, 'now'>;
  wanted: Wanted;
  reportUnreadable: ReportUnreadable;
  /** By session: appends to its delivery stream, one after the other. */
  writes: KeyedQueue;
  /** Called in its turn when an event of the session itself is recorded. */
  onOwnRecorded: (sessionId: string) => void;
  /** Called with the recorded events of a session, in order. */
  onRecorded?: (sessionId: string, events: readonly PlacedEvent[]) => void;
}

/** No account has had a login whose updates are recorded. */
const noLogin = { login: 0, position: { pts: 0, qts: 0, date: 0 } };

/**
 * Records an event of the session itself in its delivery stream, if a place wants it and it is not there yet: the stream says
 * up to which revision of the session's log it is. The position of the account's updates stays where it is.
 * @throws {WrongExpectedRevisionError} another process has appended. {@link KeyDestroyedError}
 * @throws {NotOwnerError} {@link UnreadableEventError} of the vault. {@link StoreUnavailableError} the outcome is unknown: to be repeated
 */
export function recordSessionEvent(
  deps: RecordSessionEventDeps,
  recorded: RecordedSessionEvent,
  { type, condition }: ToldEvent,
): Promise<void> {
  const sessionId = sessionIdOf(recorded.stream);
  const { wanted, store, clock, writes, onRecorded, onOwnRecorded } = deps;
  const fact = ownFactOf(type);
  if (fact === undefined || !wanted.mayWant(sessionId, [type])) return Promise.resolve();
  const announce = (events: readonly PlacedEvent[]): void => {
    onOwnRecorded(sessionId);
    onRecorded?.(sessionId, events);
  };
  return writes.run(sessionId, async () => {
    const places = await wanted.places(sessionId);
    const { at } = recorded.metadata;
    const wanting = places.filter(({ since, filter }) => since <= at && wants(filter, { type }));
    if (wanting.length === 0) return;
    const end = await endOfDeliveries(deps, sessionId);
    const last = end?.last && { ...end.last.metadata, seq: end.seq };
    if ((last?.sessionRevision ?? -1) >= recorded.revision) {
      // An append whose outcome was not known has succeeded.
      if (end?.last !== undefined && isOwnFact(end.last.type)) announce([end.last]);
      return;
    }
    const since = wanted.since(sessionId) ?? at;
    const { login, position, unfinishedUpTo } = { unfinishedUpTo: undefined, ...noLogin, ...last };
    const made = await makeOwnEvent(
      deps,
      sessionId,
      { type: fact, content: condition, wantedBy: new Set(wanting.map(({ key }) => key)) },
      { at: clock.now(), login, since, sessionRevision: recorded.revision },
    );
    const place = { position, ...(unfinishedUpTo !== undefined && { unfinishedUpTo }) };
    const { events } = markEvents([made], places, markedEnd(places, last), place);
    mustOwn(deps.ownership ?? soleOwner, sessionId);
    const appended = await store.append(deliveryStream(sessionId), end?.revision ?? 'no-stream', events as never);
    announce(events.map((event) => ({ ...event, revision: appended.revision })));
  });
}
