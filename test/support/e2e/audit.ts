import { cp } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import { type SessionFactType, type SessionState, sessionIdOf, sessionPrefix } from '../../../actors/session/events.ts';
import { replay } from '../../../actors/session/replay.ts';
import { evolveSessionView } from '../../../projections/evolve-session-view.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openStoreForReading } from '../../../src/store/events/open-store.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { legalTransitions } from '../actors/legal-transitions.ts';
import { readSessionEvent } from '../actors/read-session-event.ts';
import { createTemporaryFolder } from '../kit/temporary-folder.ts';
import type { KurrentPlace } from '../store/kurrent-place.ts';

export interface Audit {
  /** What is wrong, in words. */
  faults: string[];
  /** Every session's events, by ID, in their order. */
  streams: Map<string, RecordedEvent[]>;
  /** Each session's events folded. */
  views: Map<string, SessionView>;
}

/**
 * Goes through what a gateway that is gone left in its data directory (through a copy: the next one finds it untouched):
 * no event twice, no gap, no transition that the chart does not know, replay equal to the record, and the kept views
 * equal to the events up to where they say they are.
 * @param kurrent the place of the events, if they are not in the data directory
 */
export async function audit(dataDir: string, kurrent?: KurrentPlace): Promise<Audit> {
  const folder = await createTemporaryFolder();
  try {
    const filter = (path: string): boolean => path === dataDir || /\/(?:events|views)\.db(?:-wal)?$/.test(path);
    await cp(dataDir, folder.path, { recursive: true, filter });
    return await auditCopy(folder.path, kurrent);
  } finally {
    await folder.remove();
  }
}

async function auditCopy(folder: string, kurrent: KurrentPlace | undefined): Promise<Audit> {
  const result: Audit = { faults: [], streams: new Map(), views: new Map() };
  const keptViews = openViewDatabase(`${folder}/views.db`);
  const store =
    kurrent === undefined
      ? openSqliteStore({ file: `${folder}/events.db`, clock: systemClock })
      : await openStoreForReading(kurrent.url, {
          clock: systemClock,
          randomness: systemRandomness,
          streamPrefix: kurrent.streamPrefix,
        });
  try {
    const reached = keptViews.progress?.position ?? 0n;
    const eventIds = new Set<string>();
    /** As the kept views must be. */
    const expected = new Map<string, SessionView>();
    for await (const event of store.readAll({ prefixes: [sessionPrefix] })) {
      const id = sessionIdOf(event.stream);
      if (eventIds.has(event.id)) result.faults.push(`${id}: event ${event.id} is there twice`);
      eventIds.add(event.id);
      const stream = result.streams.get(id) ?? [];
      stream.push(event);
      result.streams.set(id, stream);
      const view = evolveSessionView(result.views.get(id), readSessionEvent(event));
      result.views.set(id, view);
      if (event.position <= reached) expected.set(id, view);
    }
    for (const [id, stream] of result.streams) {
      result.faults.push(...(await faultsOf(stream)).map((fault) => `${id}: ${fault}`));
      const kept = keptViews.get(id);
      if (!isDeepStrictEqual(kept, expected.get(id))) result.faults.push(`${id}: the kept view is another`);
    }
    return result;
  } finally {
    keptViews.close();
    await store.close();
  }
}

async function faultsOf(stream: RecordedEvent[]): Promise<string[]> {
  const faults: string[] = [];
  let state: SessionState | undefined;
  for (const [index, event] of stream.entries()) {
    const { from, to } = event.metadata as { from: SessionState | null; to: SessionState };
    const type = event.type as SessionFactType;
    const leadsTo = state === undefined ? 'qrPending' : legalTransitions[state][type];
    const isLegal =
      (state === undefined) === (type === 'SessionCreated') &&
      from === (state ?? null) &&
      to === (leadsTo === '=' ? state : leadsTo);
    if (!isLegal) faults.push(`${type} from ${from} to ${to}, when it was ${state}`);
    if (event.revision !== index) faults.push(`revision ${event.revision} stands where ${index} should`);
    state = to;
  }
  const { drift } = await replay(stream);
  return [...faults, ...drift.map(({ revision, type, problem }) => `replay of ${type} (${revision}): ${problem}`)];
}
