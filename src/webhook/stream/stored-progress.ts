import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import { outboxCodec } from './outbox-codec.ts';
import { emptyProgress, type OutboxProgress, outboxStream } from './outbox-progress.ts';

export interface LoadProgressDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  reportUnreadable: ReportUnreadable;
}

/**
 * As it was saved last. What cannot be read is passed over: then it is as it was saved before that, or as if nothing had
 * been, and what was delivered since is delivered again.
 * @throws {StoreUnavailableError}
 */
export async function loadProgress(
  { store, reportUnreadable }: LoadProgressDeps,
  sessionId: string,
): Promise<OutboxProgress> {
  const last = await store.last(outboxStream(sessionId));
  if (last === undefined) return emptyProgress;
  const saved = outboxCodec.decode(last);
  if (!isUnreadable(saved)) return saved.data;
  const newestFirst = store.read(outboxStream(sessionId), { direction: 'backwards', from: last.revision });
  for await (const recorded of newestFirst) {
    const before = outboxCodec.decode(recorded);
    if (!isUnreadable(before)) return before.data;
    reportUnreadable(before);
  }
  return emptyProgress;
}

export interface SaveProgressDeps {
  store: Pick<EventStore, 'append'>;
  clock: Pick<Clock, 'now'>;
  random: Pick<Randomness, 'uuid'>;
}

/** @returns the revision of its event. @throws {StoreUnavailableError} */
export async function saveProgress(
  { store, clock, random }: SaveProgressDeps,
  sessionId: string,
  progress: OutboxProgress,
): Promise<number> {
  // Interfaces have no index signature, but all of this is JSON.
  const data = progress as unknown as Json;
  const metadata = outboxCodec.stamp({ at: clock.now() });
  const event = { id: random.uuid(), type: 'OutboxMoved', data, metadata };
  const { revision } = await store.append(outboxStream(sessionId), 'any', [event]);
  return revision;
}
