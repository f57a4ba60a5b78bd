import type { StatelyInspectionEvent } from '@statelyai/inspect';
import { isUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import { type ReadSessionDeps, readSession } from '../../actors/runtime/read-session.ts';
import { sessionIdOf, sessionPrefix } from '../../actors/session/events.ts';
import { sessionLifecycle } from '../../actors/session/lifecycle.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../actors/session/session-codec.ts';
import type { SessionViews } from '../../projections/session-view.ts';
import { followAudit } from '../audit/follow-audit.ts';
import type { SocketPeer } from '../websocket/peer.ts';
import { actorEvent, transitionEvents } from './inspection-events.ts';

export interface ShownSessionsDeps extends ReadSessionDeps {
  store: Pick<EventStore, 'read' | 'subscribeAll'>;
  views: Pick<SessionViews, 'get' | 'list' | 'onChange' | 'position'>;
}

type Shown = Pick<SocketPeer, 'signal'> & { send(event: StatelyInspectionEvent): Promise<void> };

const pageSize = 100;

/**
 * Shows a session as it is, and then its events; or all of its events from the start. Ends with the session.
 * @throws the signal's reason when the viewer is gone; the store's errors
 */
export async function showSession(
  deps: ShownSessionsDeps,
  id: string,
  fromStart: boolean,
  viewer: Shown,
): Promise<void> {
  const last = fromStart ? undefined : await lastEvent(deps, id);
  let isKnown = last !== undefined;
  if (last !== undefined) await viewer.send(actorEvent(last));
  if (last !== undefined && isOver(last)) return;
  for await (const event of followAudit(deps, id, last === undefined ? 0 : last.revision + 1, viewer.signal)) {
    await show(viewer, event, isKnown);
    isKnown = true;
  }
}

/**
 * Shows every live session, or those of a tenant, as it is, and then the events of these and of new ones, each once and in order. Does not end
 * by itself.
 * @throws as {@link showSession}
 */
export async function showAllSessions(deps: ShownSessionsDeps, viewer: Shown, tenant?: string): Promise<void> {
  const { views } = deps;
  // Taken before the first read: events from meanwhile come again, and are recognised by their numbers.
  const start = views.position;
  /** The number of the last event shown of each session. */
  const shown = new Map<string, number>();
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = views.list({ after, limit: pageSize, tenant });
    for (const { id } of page) {
      const last = await lastEvent(deps, id);
      if (last === undefined || isOver(last)) continue;
      await viewer.send(actorEvent(last));
      shown.set(id, last.revision);
    }
    after = page.length < pageSize ? undefined : page.at(-1)?.id;
  }
  await follow(deps, start, viewer.signal, async (event) => {
    const id = sessionIdOf(event.stream);
    const before = shown.get(id);
    // A session that had ended before has nothing to show.
    if (before === undefined ? event.revision > 0 || !isOf(event, tenant) : event.revision <= before) return;
    if (isOver(event)) shown.delete(id);
    else shown.set(id, event.revision);
    await show(viewer, event, before !== undefined);
  });
}

/** @param event a session's first */
const isOf = ({ type, data }: RecordedSessionEvent, tenant: string | undefined): boolean =>
  tenant === undefined || (type === 'SessionCreated' && data.tenant === tenant);

async function show(viewer: Shown, event: RecordedSessionEvent, isKnown: boolean): Promise<void> {
  if (!isKnown) await viewer.send(actorEvent(event));
  for (const message of await transitionEvents(event)) await viewer.send(message);
}

/** Passes on events after a position, until the signal. @throws the handler's error, or the signal's reason */
async function follow(
  { store, reportUnreadable }: ShownSessionsDeps,
  after: bigint,
  signal: AbortSignal,
  onEvent: (event: RecordedSessionEvent) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const subscription = store.subscribeAll({
      after,
      prefixes: [sessionPrefix],
      onEvent: (recorded) => {
        const event = sessionCodec.decode(recorded);
        return isUnreadable(event) ? reportUnreadable(event) : onEvent(event);
      },
      onError: reject,
    });
    stop = () => {
      void subscription.stop();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  await ended.finally(() => stop !== undefined && signal.removeEventListener('abort', stop));
}

async function lastEvent(deps: ReadSessionDeps, id: string): Promise<RecordedSessionEvent | undefined> {
  for await (const event of readSession(deps, id, { direction: 'backwards', limit: 1 })) return event;
  return undefined;
}

const isOver = ({ metadata }: RecordedSessionEvent): boolean => sessionLifecycle.isFinal(metadata.to);
