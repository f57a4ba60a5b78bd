import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { EventStore, NewEvent } from '../../actors/ports/event-store.ts';
import { type Ownership, soleOwner } from '../../actors/ports/ownership.ts';
import { dayOf } from '../../projections/usage/session-seconds.ts';
import { usageCodec } from '../../projections/usage/usage-codec.ts';
import type { UsageDays, UsagePlace } from '../../projections/usage/usage-days.ts';
import { dayOfUsage, type UsageRow, usagePrefix, usageSumStream } from '../../projections/usage/usage-events.ts';

export interface SumUsageDeps {
  store: Pick<EventStore, 'append' | 'erase' | 'lastOfEach'>;
  usageDays: Pick<UsageDays, 'countedOn'>;
  /** The counts of a day are whole while the views show what the store has. */
  views: { readonly caughtUp: boolean };
  clock: Pick<Clock, 'now'>;
  random: Randomness;
  /** Recorded beside the sums. */
  node: string;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'>;
}

/** `GET /sessions/stats` counts the seconds of the last 7 days (OS3), whole hours of them. */
const keptMs = 8 * 24 * 60 * 60_000;
/** Of one event: some 150 KB. */
const maxRows = 1_000;

/**
 * Replaces the counts of the seconds of each day that is more than 8 days ago by the sums of that day. The sums are appended
 * before the seconds are erased, and stand for all that was counted on the day before them: what a crash leaves is done again,
 * to the same end. Two nodes may do it at a time; to save the work, only the owner of the partition of `usage-` does.
 * @returns how many days were summed
 * @throws {StoreUnavailableError}
 */
export async function sumUsage(deps: SumUsageDeps): Promise<number> {
  const { store, views, clock, ownership = soleOwner } = deps;
  if (!views.caughtUp || !ownership.owns(usagePrefix)) return 0;
  const oldest = dayOf(clock.now() - keptMs);
  const streamsOfDays = new Map<string, string[]>();
  for await (const { stream } of store.lastOfEach(usagePrefix)) {
    const day = dayOfUsage(stream);
    if (day >= oldest || stream === usageSumStream(day)) continue;
    streamsOfDays.set(day, [...(streamsOfDays.get(day) ?? []), stream]);
  }
  for (const [day, streams] of streamsOfDays) {
    await appendSums(deps, day);
    for (const stream of streams) await store.erase(stream);
  }
  return streamsOfDays.size;
}

async function appendSums({ store, usageDays, clock, random, node }: SumUsageDeps, day: string): Promise<void> {
  let after: UsagePlace | undefined;
  let rows: UsageRow[];
  do {
    rows = usageDays.countedOn(day, after, maxRows);
    const last = rows.at(-1);
    if (last === undefined) return;
    const metadata = usageCodec.stamp({ at: clock.now(), by: node });
    const data = { day, rows } as unknown as NewEvent['data'];
    const event: NewEvent = { id: random.uuid(), type: 'UsageSummed', data, metadata };
    await store.append(usageSumStream(day), 'any', [event]);
    after = { session: last.session, key: last.key ?? '' };
  } while (rows.length === maxRows);
}
