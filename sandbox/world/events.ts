import type { TlObject } from '../rpc.ts';
import type { EventRow } from './state/message-rows.ts';
import type { PeerRef } from './state/peer.ts';
import type { World } from './world.ts';

/** Events kept of each user. They say what is so now: a client that misses an old one asks for the state itself. */
const maxKeptEvents = 500;

/**
 * Keeps an update without `pts` for the user's devices that are away. `update` is TL, or what `tlEvent` writes anew for
 * its viewer. Undefined if the user has no device.
 */
export function noteEvent(
  world: World,
  owner: number,
  update: TlObject,
  peers: readonly PeerRef[],
): EventRow | undefined {
  if (world.tables.activeLogins(owner).length === 0) return undefined;
  const kept = world.tables.eventsOf(owner);
  const oldest = kept[0];
  const seq = (kept.at(-1)?.seq ?? 0) + 1;
  if (oldest && kept.length >= maxKeptEvents) world.tables.events.delete(world.tables.events.keyOf(oldest));
  return world.tables.events.put({ owner, seq, date: world.now(), update, peers: [...peers] });
}

/** The user's events since a date, in order; those with a `qts` after that number. */
export function eventsSince(world: World, owner: number, date: number, qts: number): EventRow[] {
  return world.tables.eventsOf(owner).filter((event) => {
    const { qts: own } = event.update;
    return typeof own === 'number' ? own > qts : date > 0 && event.date >= date;
  });
}
