import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../actors/ports/event-store.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import type { SessionView } from '../session-view.ts';
import type { SideRow, SideTable, SideView } from '../side-view.ts';
import { dayOf, secondsByDay, secondsInDay } from './session-seconds.ts';
import { usageCodec } from './usage-codec.ts';
import { type UsageCounts, type UsageRow, usageCounts, usagePrefix } from './usage-events.ts';

/** What one session used through one key on one day. */
export interface UsageOfDay extends UsageRow {
  /** How long the session lived on that day. Only in the row of the key that created it. */
  seconds: number;
}

/** A row as it is stored. */
type StoredRow = UsageCounts & { tenant?: string; seconds?: number };

/** The place of a row in the order of a day. */
export interface UsagePlace {
  session: string;
  /** Empty: no key. */
  key: string;
}

export interface DayQuery {
  /** `2026-11-25`, in UTC. */
  day: string;
  /** Only rows after this one. */
  after: UsagePlace | undefined;
  limit: number;
  /** Undefined: all. */
  tenant: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** The live sessions, in the order of their IDs, which is that of their creation. */
export interface LiveSessions {
  get(id: string): SessionView | undefined;
  list(options: { after: string; limit: number; tenant: string | undefined }): SessionView[];
}

const keyOf = (day: string, { session, key }: UsagePlace): string => `${day} ${session} ${key}`;
const noSessions: LiveSessions = { get: () => undefined, list: () => [] };
const noTable: SideTable = { rows: () => [], get: () => undefined, range: () => [] };

/** What sessions have used, day by day (KY3), from the log. Its rows are on the disk alone. */
export class UsageDays implements SideView {
  readonly name = 'usage';
  readonly prefixes = [usagePrefix];
  readonly #reportUnreadable: ReportUnreadable;
  #table = noTable;
  /** By key: rows that are newer than those of the table. */
  readonly #unsaved = new Map<string, StoredRow>();

  constructor({ reportUnreadable }: { reportUnreadable: ReportUnreadable }) {
    this.#reportUnreadable = reportUnreadable;
  }

  /** In the order of sessions and keys; a live session is there although it used nothing. */
  ofDay({ day, after, limit, tenant, now }: DayQuery, live: LiveSessions): UsageOfDay[] {
    const rows = new Map<string, UsageOfDay>();
    for (const [key, row] of this.#stored(day, after, limit, tenant)) rows.set(key, rowOf(key, row));
    for (const view of this.#liveOn(day, after, limit, tenant, live)) {
      const { id: session, key = '', created } = view;
      const place = keyOf(day, { session, key });
      if (after !== undefined && place <= keyOf(day, after)) continue;
      const row = rows.get(place) ?? rowOf(place, this.#row(place) ?? ownersOf(view));
      rows.set(place, { ...row, seconds: secondsInDay(day, created, now) });
    }
    return [...rows]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .slice(0, limit)
      .map(([, row]) => row);
  }

  load(table: SideTable): void {
    this.#table = table;
    this.#unsaved.clear();
  }

  seeSession({ metadata: { from, to } }: RecordedSessionEvent, view: SessionView): void {
    if (!view.ended || from === to) return;
    const { id: session, key = '', created, since } = view;
    for (const [day, seconds] of secondsByDay(created, since)) {
      const place = keyOf(day, { session, key });
      this.#unsaved.set(place, { ...(this.#row(place) ?? ownersOf(view)), seconds });
    }
  }

  see(recorded: RecordedEvent): void {
    const event = usageCodec.decode(recorded);
    if (isUnreadable(event)) return this.#reportUnreadable(event);
    const isSum = event.type === 'UsageSummed';
    const day = isSum ? event.data.day : dayOf(event.metadata.at);
    for (const { session, key = '', ...row } of event.data.rows) {
      const place = keyOf(day, { session, key });
      const sum: StoredRow = { ...(this.#row(place) ?? ownersOf(row)) };
      for (const name of usageCounts) {
        const before = isSum ? 0 : (sum[name] ?? 0);
        if (row[name] !== undefined) sum[name] = before + row[name];
      }
      this.#unsaved.set(place, sum);
    }
  }

  /** What was counted on a day, in the order of sessions and keys: up to `limit` rows after a place. */
  countedOn(day: string, after: UsagePlace | undefined, limit: number): UsageRow[] {
    const rows = this.ofDay({ day, after, limit, tenant: undefined, now: 0 }, noSessions);
    return rows.map(({ seconds: _seconds, ...row }) => row);
  }

  changes(): Iterable<SideRow> {
    return [...this.#unsaved].map(([key, row]): SideRow => [key, JSON.stringify(row)]);
  }

  saved(): void {
    this.#unsaved.clear();
  }

  #row(place: string): StoredRow | undefined {
    const unsaved = this.#unsaved.get(place);
    if (unsaved !== undefined) return unsaved;
    const text = this.#table.get(place);
    return text === undefined ? undefined : (JSON.parse(text) as StoredRow);
  }

  #stored(
    day: string,
    after: UsagePlace | undefined,
    limit: number,
    tenant: string | undefined,
  ): [key: string, row: StoredRow][] {
    const [from, before] = [after === undefined ? `${day} ` : keyOf(day, after), `${day}!`];
    const saved = this.#table
      .range({ after: from, before, limit, tenant })
      .map(([key, text]): [string, StoredRow] => [key, this.#unsaved.get(key) ?? (JSON.parse(text) as StoredRow)]);
    const isWanted = (key: string, row: StoredRow): boolean =>
      key > from && key < before && (tenant === undefined || row.tenant === tenant);
    return [...saved, ...[...this.#unsaved].filter(([key, row]) => isWanted(key, row))];
  }

  /** The session of the last row may have another key after it. */
  #liveOn(
    day: string,
    after: UsagePlace | undefined,
    limit: number,
    tenant: string | undefined,
    live: LiveSessions,
  ): SessionView[] {
    const last = after && live.get(after.session);
    const next = live.list({ after: after?.session ?? '', limit, tenant });
    const endsAt = Date.parse(day) + 24 * 60 * 60_000;
    return [...(last === undefined || last.ended ? [] : [last]), ...next].filter(({ created }) => created < endsAt);
  }
}

const ownersOf = ({ tenant }: { tenant?: string }): StoredRow => (tenant === undefined ? {} : { tenant });

function rowOf(place: string, { seconds = 0, ...row }: StoredRow): UsageOfDay {
  const [, session = '', key = ''] = place.split(' ');
  return { session, ...(key !== '' && { key }), ...row, seconds };
}
