import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../actors/ports/event-store.ts';
import { sessionIdOf, sessionPrefix } from '../../actors/session/events.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../actors/session/session-codec.ts';
import type { SessionView, SessionViews } from '../../projections/session-view.ts';
import { usageCodec } from '../../projections/usage/usage-codec.ts';
import { usagePrefix } from '../../projections/usage/usage-events.ts';

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

/** Sessions that have sent or delivered something, or have failed to. */
export interface UsageChange {
  /** Of the store. */
  position: bigint;
  /** Milliseconds since 1970. */
  at: number;
  /** Their IDs. */
  used: ReadonlySet<string>;
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
  /** Whether it wants to know which sessions are used. */
  isUsage: boolean;
}

type RecordedUsage = Extract<ReturnType<typeof usageCodec.decode>, { type: 'UsageRecorded' }>;

/**
 * What changes in sessions after a position of the store: other states, names, webhooks, secrets. Each event once and in order,
 * and none before the views have it; a slow reader slows the subscription down.
 * @throws the signal's reason
 */
export async function* followChanges(
  { store, views, reportUnreadable }: FollowChangesDeps,
  { after, tenant, isEvery, isUsage }: WantedChanges,
  signal: AbortSignal,
): AsyncGenerator<SessionChange | UsageChange, void> {
  const waiting: { event: RecordedSessionEvent | RecordedUsage; taken: () => void }[] = [];
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
    prefixes: isUsage ? [sessionPrefix, usagePrefix] : [sessionPrefix],
    onEvent: (recorded) => {
      const event = decode(recorded);
      if (isUnreadable(event)) return reportUnreadable(event);
      if (event.type === 'UsageSummed' || (event.type !== 'UsageRecorded' && !isEvery && !isShown(event)))
        return undefined;
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
      const { event, taken } = next;
      // The views follow the log by themselves.
      await views.waitFor(event.position, signal);
      const change = event.type === 'UsageRecorded' ? usageChange(event, tenant) : sessionChange(event, views, tenant);
      if (change !== undefined) yield change;
      taken();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const { taken } of waiting) taken();
    void subscription.stop();
  }
}

const decode = (recorded: RecordedEvent) =>
  recorded.stream.startsWith(usagePrefix) ? usageCodec.decode(recorded) : sessionCodec.decode(recorded);

/** Undefined: it is not of the tenant. */
function sessionChange(
  event: RecordedSessionEvent,
  views: FollowChangesDeps['views'],
  tenant: string | undefined,
): SessionChange | undefined {
  const view = views.get(sessionIdOf(event.stream));
  return view !== undefined && (tenant === undefined || view.tenant === tenant) ? { event, view } : undefined;
}

/** Undefined: no session of the tenant is in it. */
function usageChange(
  { position, data, metadata: { at } }: RecordedUsage,
  tenant: string | undefined,
): UsageChange | undefined {
  const rows = tenant === undefined ? data.rows : data.rows.filter((row) => row.tenant === tenant);
  return rows.length === 0 ? undefined : { position, at, used: new Set(rows.map(({ session }) => session)) };
}
