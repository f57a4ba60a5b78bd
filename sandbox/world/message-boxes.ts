import type { PeerKey } from './state/peer.ts';
import type { UpdateRow } from './state/rows.ts';
import type { World } from './world.ts';

/** Updates that a box remembers; who missed more starts again (`differenceTooLong`). */
const rememberedUpdates = 5_000;

/** Takes the next message ID of a box. */
export function takeMessageId(world: World, box: PeerKey): number {
  const counter = world.box(box);
  const id = counter.nextId;
  counter.nextId += 1;
  world.boxes.put(counter);
  return id;
}

/** Counts an update in its box and remembers it. */
export function recordUpdate(world: World, update: Omit<UpdateRow, 'pts' | 'date'> & { date?: number }): UpdateRow {
  const counter = world.box(update.box);
  counter.pts += update.count;
  const row = world.updates.put({ date: world.now(), ...update, pts: counter.pts });
  const all = world.updatesOf(update.box);
  const oldest = all[0];
  if (all.length > rememberedUpdates && oldest) {
    counter.minPts = oldest.pts;
    world.updates.delete(world.updates.keyOf(oldest));
  }
  world.boxes.put(counter);
  return row;
}

/** Updates of a box after `pts`, in order. */
export function updatesAfter(world: World, box: PeerKey, pts: number): UpdateRow[] {
  const all = world.updatesOf(box);
  let first = all.length;
  while (first > 0 && (all[first - 1] as UpdateRow).pts > pts) first -= 1;
  return all.slice(first);
}

/** Who has not fetched a box's updates so far gets `differenceTooLong`. */
export function forgetUpdates(world: World, box: PeerKey): void {
  const counter = world.box(box);
  counter.minPts = counter.pts;
  for (const row of updatesAfter(world, box, 0)) world.updates.delete(world.updates.keyOf(row));
  world.boxes.put(counter);
}
