import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventReader, EventStore } from '../../../actors/ports/event-store.ts';

/** Exists in a store while a copy into it is incomplete. */
export const copyMarkStream = 'store-copy';

const markType = 'StoreCopyBegun';

/** The name of the store whose copy into this one is incomplete; undefined if there is none. */
export async function readCopyMark(store: Pick<EventReader, 'last'>): Promise<string | undefined> {
  const mark = await store.last(copyMarkStream);
  if (mark?.type !== markType) return undefined;
  const { source } = Object(mark.data) as { source?: unknown };
  return typeof source === 'string' ? source : 'another store';
}

export async function setCopyMark(
  store: EventStore,
  source: string,
  randomness: Pick<Randomness, 'uuid'>,
): Promise<void> {
  if ((await readCopyMark(store)) !== undefined) return;
  await store.append(copyMarkStream, 'any', [
    { id: randomness.uuid(), type: markType, data: { source }, metadata: {} },
  ]);
}

export function clearCopyMark(store: EventStore): Promise<void> {
  return store.erase(copyMarkStream);
}
