import type { UpdateRow } from '../state/message-rows.ts';
import type { PeerKey } from '../state/peer.ts';
import type { World } from '../world.ts';

/** Updates kept of a channel. A client that has missed more gets `channelDifferenceTooLong`. */
const maxKeptOfChannel = 5_000;
/** Updates kept of a user: so many that in practice only a fault makes `differenceTooLong`. */
const maxKeptOfUser = 100_000;

/** Uses the next message ID of a box. */
export function takeMessageId(world: World, box: PeerKey): number {
  const counter = world.tables.box(box);
  const id = counter.nextId;
  counter.nextId += 1;
  world.tables.boxes.put(counter);
  return id;
}

/** Adds an update to its box and raises the box's `pts`. */
export function recordUpdate(world: World, update: Omit<UpdateRow, 'pts' | 'date'> & { date?: number }): UpdateRow {
  const counter = world.tables.box(update.box);
  counter.pts += update.count;
  const row = world.tables.updates.put({ date: world.now(), ...update, pts: counter.pts });
  world.differenceFaults.note(row);
  const all = world.tables.updatesInBox(update.box);
  const oldest = all[0];
  const maxKept = update.box.startsWith('user:') ? maxKeptOfUser : maxKeptOfChannel;
  if (all.length > maxKept && oldest) {
    counter.minPts = oldest.pts;
    world.tables.updates.delete(world.tables.updates.keyOf(oldest));
  }
  world.tables.boxes.put(counter);
  return row;
}

/** The updates of a box after `pts`, in order. */
export function updatesAfter(world: World, box: PeerKey, pts: number): UpdateRow[] {
  const all = world.tables.updatesInBox(box);
  let first = all.length;
  while (first > 0 && (all[first - 1] as UpdateRow).pts > pts) first -= 1;
  return all.slice(first);
}

/**
 * A fault: deletes a box's updates. A client that has not fetched them gets `differenceTooLong`, also if it has set no
 * `pts_total_limit`.
 */
export function forgetUpdates(world: World, box: PeerKey): void {
  const counter = world.tables.box(box);
  counter.minPts = counter.pts;
  for (const row of updatesAfter(world, box, 0)) world.tables.updates.delete(world.tables.updates.keyOf(row));
  world.tables.boxes.put(counter);
}
