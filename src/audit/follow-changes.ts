import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import { sessionIdOf, sessionPrefix } from '../../actors/session/events.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../actors/session/session-codec.ts';
import type { SessionView, SessionViews } from '../../projections/session-view.ts';

export interface FollowChangesDeps {
  store: Pick<EventStore, 'subscribeAll'>;
  views: Pick<SessionViews, 'get' | 'waitFor'>;
  reportUnreadable: ReportUnreadable;
}

/** An event of any session, and the session's view that has it. */
export interface SessionChange {
  event: RecordedSessionEvent;
  view: SessionView;
}

/** Facts that a list of sessions shows although the state stays. */
const shown: ReadonlySet<string> = new Set(['SessionRenamed', 'WebhookSet', 'SecretRotated']);

const isShown = ({ type, metadata: { from, to, since, at } }: RecordedSessionEvent): boolean =>
  from !== to || since === at || shown.has(type);

/** What a follower of changes wants. */
export interface WantedChanges {
  /** Of the store, exclusive. */
  after: bigint;
  /** Only its sessions; undefined: all. */
  tenant: string | undefined;
  /** Whether it wants events too that no list of sessions shows: another QR code, a wrong password. */
  isEvery: boolean;
}

/**
 * What changes in sessions after a position of the store: other states, names, webhooks, secrets. Each event once and in order;
 * a slow reader slows the subscription down.
 * @throws the signal's reason
 */
export async function* followChanges(
  { store, views, reportUnreadable }: FollowChangesDeps,
  { after, tenant, isEvery }: WantedChanges,
  signal: AbortSignal,
): AsyncGenerator<SessionChange, void> {
  const waiting: { event: RecordedSessionEvent; taken: () => void }[] = [];
  let wake: () => void = () => {};
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const subscription = store.subscribeAll({
    after,
    prefixes: [sessionPrefix],
    onEvent: (recorded) => {
      const event = sessionCodec.decode(recorded);
      if (isUnreadable(event)) return reportUnreadable(event);
      if (!isEvery && !isShown(event)) return undefined;
      return new Promise((taken) => {
        waiting.push({ event, taken });
        wake();
      });
    },
    onError: fail,
  });
  try {
    for (;;) {
      if (failure !== undefined) throw failure;
      const next = waiting.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      // The views follow the log by themselves.
      await views.waitFor(next.event.position, signal);
      const view = views.get(sessionIdOf(next.event.stream));
      if (view !== undefined && (tenant === undefined || view.tenant === tenant)) yield { event: next.event, view };
      next.taken();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const { taken } of waiting) taken();
    void subscription.stop();
  }
}
