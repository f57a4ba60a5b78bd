import type { EventReader } from '../../../actors/ports/event-store.ts';
import { StartError } from '../../errors/gateway-error.ts';
import { readCopyMark } from './copy-mark.ts';

/** @throws {StartError} the store is an incomplete copy. */
export async function mustBeWhole(store: EventReader): Promise<void> {
  const source = await readCopyMark(store);
  if (source === undefined) return;
  throw new StartError(
    `the event store holds a copy of ${source} that was begun and not finished: run npm run copy again`,
  );
}
