import { isUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import { type ReadSessionDeps, readSession } from '../../actors/runtime/read-session.ts';
import { sessionIdOf, sessionPrefix } from '../../actors/session/events.ts';
import { sessionLifecycle } from '../../actors/session/lifecycle.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../actors/session/session-codec.ts';
import type { SessionViews } from '../../projections/session-view.ts';
import { followAudit } from '../audit/follow-audit.ts';
import { actorEvent, transitionEvents } from './inspection-events.ts';
import type { Viewer } from './viewer.ts';

export interface ShownSessionsDeps extends ReadSessionDeps {
  store: Pick<EventStore, 'read' | 'subscribeAll'>;
  views: Pick<SessionViews, 'list' | 'onChange' | 'position'>;
}

type Shown = Pick<Viewer, 'send' | 'signal'>;

const pageSize = 100;

/**
 * Shows a session as it is, and what becomes of it; or, from the start, all that has. Ends with the session.
 * @throws the signal's reason when the viewer is gone; what the store throws
 */
export async function showSession(
  parts: ShownSessionsDeps,
  id: string,
  fromStart: boolean,
  viewer: Shown,
): Promise<void> {
  const last = fromStart ? undefined : await lastEvent(parts, id);
  let isKnown = last !== undefined;
  if (last !== undefined) await viewer.send(actorEvent(last));
  if (last !== undefined && isOver(last)) return;
  for await (const event of followAudit(parts, id, last === undefined ? 0 : last.revision + 1, viewer.signal)) {
    await show(viewer, event, isKnown);
    isKnown = true;
  }
}

/**
 * Shows every session that there is, as it is, and then what becomes of each and of those that come, each event once and
 * in order. Does not end by itself.
 * @throws as {@link showSession}
 */
export async function showAllSessions(deps: ShownSessionsDeps, viewer: Shown): Promise<void> {
  const { views } = deps;
  // Before anything is looked at: what happens meanwhile comes again, and is told by its number.
  const start = views.position;
  /** Number of the last event that each has been shown with. */
  const shown = new Map<string, number>();
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = views.list({ after, limit: pageSize });
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
    // What was over when it was looked for has nothing left to show.
    if (before === undefined ? event.revision > 0 : event.revision <= before) return;
    if (isOver(event)) shown.delete(id);
    else shown.set(id, event.revision);
    await show(viewer, event, before !== undefined);
  });
}

async function show(viewer: Shown, event: RecordedSessionEvent, isKnown: boolean): Promise<void> {
  if (!isKnown) await viewer.send(actorEvent(event));
  for (const message of await transitionEvents(event)) await viewer.send(message);
}

/** Hands over what is recorded after a position, until the signal. @throws what the handler throws; the reason */
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
