import { viewersOf } from '../../world/messages/viewers.ts';
import type { PollRow } from '../../world/state/poll-rows.ts';
import type { World } from '../../world/world.ts';
import { pushEvent } from './push-event.ts';

/** Shows the votes of a poll to all who see it, each in their own way, once. */
export function pushPoll(world: World, poll: PollRow, exceptSession?: bigint): void {
  const told = new Set<number>();
  for (const twin of poll.twins) {
    const [copy] = world.tables.copiesOf(twin);
    const message = copy && world.tables.message(...copy);
    for (const { viewer, copy: own } of message ? viewersOf(world, message) : []) {
      if (told.has(viewer)) continue;
      told.add(viewer);
      pushEvent(world, viewer, { _: 'updateMessagePoll', poll_id: BigInt(poll.id) }, [own.peer], exceptSession);
    }
  }
}
