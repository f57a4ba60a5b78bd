import type { Clock } from '../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../actors/ports/event-store.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import type { SessionView } from '../session-view.ts';
import type { SideRow, SideTable, SideView } from '../side-view.ts';
import { usageCodec } from '../usage/usage-codec.ts';
import { usageCounts, usagePrefix } from '../usage/usage-events.ts';
import {
  ActivityBuckets,
  type ActivityWindow,
  type Counted,
  type CountedBucket,
  connectedChange,
} from './activity-buckets.ts';
import { type Loss, RecentLosses } from './recent-losses.ts';

/** What a count is called that is no `UsageCount`; that of a loss is followed by its reason. */
export const loginName = 'login';
export const lossPrefix = 'loss ';

const logins: ReadonlySet<string> = new Set(['LoggedIn', 'LoginImported']);
/** The facts by which a login ends although its caller did not ask for it. */
const losses: ReadonlySet<string> = new Set(['LoginLost', 'BotLoginLost', 'DisconnectedTimedOut']);

/** What has happened in the windows of `GET /sessions/stats` (OS3), from the log. */
export class SessionActivity implements SideView {
  readonly name = 'activity';
  readonly prefixes = [usagePrefix];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #reportUnreadable: ReportUnreadable;
  readonly #buckets = new ActivityBuckets();
  readonly #losses = new RecentLosses();

  constructor({ clock, reportUnreadable }: { clock: Pick<Clock, 'now'>; reportUnreadable: ReportUnreadable }) {
    this.#clock = clock;
    this.#reportUnreadable = reportUnreadable;
  }

  /** @param tenant undefined: all */
  counted(window: ActivityWindow, tenant: string | undefined): Counted {
    return this.#buckets.sum(window, this.#clock.now(), tenant);
  }

  /** Bucket by bucket, the oldest first; `connectedChange` is there too. @param tenant undefined: all */
  series(window: ActivityWindow, tenant: string | undefined): CountedBucket[] {
    return this.#buckets.series(window, this.#clock.now(), tenant);
  }

  /** The newest first. @param since milliseconds since 1970 */
  lastLosses(tenant: string | undefined, since: number): Loss[] {
    return this.#losses.list(tenant, since);
  }

  load(table: Pick<SideTable, 'rows'>): void {
    const buckets: [string, string][] = [];
    const kept: [string, string][] = [];
    for (const [key, value] of table.rows()) {
      if (key.startsWith(lossPrefix)) kept.push([key.slice(lossPrefix.length), value]);
      else buckets.push([key, value]);
    }
    this.#buckets.load(buckets);
    this.#losses.load(kept);
  }

  seeSession({ type, data, metadata }: RecordedSessionEvent, { id, tenant = '' }: SessionView): void {
    const { at, from, to } = metadata;
    const now = this.#clock.now();
    const change = Number(to === 'connected') - Number(from === 'connected');
    if (change !== 0) this.#buckets.add(at, now, tenant, connectedChange, change);
    if (logins.has(type)) this.#buckets.add(at, now, tenant, loginName, 1);
    // Before that there was no login to lose.
    if (!losses.has(type) || (from !== 'connected' && from !== 'disconnected')) return;
    const reason = 'reason' in data && data.reason !== undefined ? data.reason : metadata.reason;
    this.#buckets.add(at, now, tenant, `${lossPrefix}${reason}`, 1);
    this.#losses.add(tenant, { id, reason, at }, now);
  }

  see(recorded: RecordedEvent): void {
    const event = usageCodec.decode(recorded);
    if (isUnreadable(event)) return this.#reportUnreadable(event);
    // Its day is in no window any more.
    if (event.type === 'UsageSummed') return;
    const now = this.#clock.now();
    for (const { tenant = '', ...row } of event.data.rows) {
      for (const name of usageCounts) {
        const count = row[name];
        if (count !== undefined) this.#buckets.add(event.metadata.at, now, tenant, name, count);
      }
    }
  }

  *changes(): Generator<SideRow> {
    const now = this.#clock.now();
    yield* this.#buckets.changes(now);
    for (const [tenant, value] of this.#losses.changes(now)) yield [`${lossPrefix}${tenant}`, value];
  }

  saved(): void {
    this.#buckets.saved();
    this.#losses.saved();
  }
}
