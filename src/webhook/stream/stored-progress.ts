import type { LastEventWriter } from '../../../actors/kit/last-event-writer.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import { outboxCodec, progressOf, storedProgress } from './outbox-codec.ts';
import { emptyProgress, type OutboxProgress, outboxStream } from './outbox-progress.ts';

interface OvertakenDeps {
  store: Pick<EventStore, 'read'>;
  reportUnreadable: ReportUnreadable;
}

export interface LoadProgressDeps extends OvertakenDeps {
  store: Pick<EventStore, 'last' | 'read'>;
}

/**
 * The last saved progress. If it cannot be read, the one before counts, or none; deliveries made since are then made
 * again.
 * @throws {StoreUnavailableError}
 */
export async function loadProgress(
  { store, reportUnreadable }: LoadProgressDeps,
  sessionId: string,
  slot: number,
): Promise<OutboxProgress> {
  const last = await store.last(outboxStream(sessionId, slot));
  if (last === undefined) return emptyProgress;
  const saved = outboxCodec.decode(last);
  if (!isUnreadable(saved) && saved.type === 'OutboxMoved') return progressOf(saved.data);
  return (await newestReadable({ store, reportUnreadable }, sessionId, slot, last.revision)) ?? emptyProgress;
}

/**
 * Reports unreadable events that another program has recorded between two saves.
 * @param revision of the save that follows them
 * @throws {StoreUnavailableError}
 */
export async function reportOvertaken(
  deps: OvertakenDeps,
  sessionId: string,
  slot: number,
  revision: number,
): Promise<void> {
  if (revision > 0) await newestReadable(deps, sessionId, slot, revision - 1);
}

/** Content of the newest readable event; those behind it are reported. */
async function newestReadable(
  { store, reportUnreadable }: OvertakenDeps,
  sessionId: string,
  slot: number,
  from: number,
): Promise<OutboxProgress | undefined> {
  for await (const recorded of store.read(outboxStream(sessionId, slot), { direction: 'backwards', from })) {
    const saved = outboxCodec.decode(recorded);
    if (isUnreadable(saved)) reportUnreadable(saved);
    else if (saved.type === 'OutboxMoved') return progressOf(saved.data);
  }
  return undefined;
}

export interface SaveProgressDeps {
  clock: Pick<Clock, 'now'>;
  random: Pick<Randomness, 'uuid'>;
}

/**
 * @param writer of the stream of the outbox
 * @returns the revision of its event. @throws {StoreUnavailableError} {@link NotOwnerError}
 */
export function saveProgress(
  { clock, random }: SaveProgressDeps,
  writer: Pick<LastEventWriter, 'write'>,
  progress: OutboxProgress,
): Promise<number> {
  // Interfaces have no index signature, but all of this is JSON.
  const data = storedProgress(progress) as unknown as Json;
  const metadata = outboxCodec.stamp({ at: clock.now() });
  return writer.write({ id: random.uuid(), type: 'OutboxMoved', data, metadata });
}
