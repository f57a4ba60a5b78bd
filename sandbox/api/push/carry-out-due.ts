import { closeDuePolls } from '../../world/polls/polls.ts';
import { dueMessages } from '../../world/scheduled/scheduled-messages.ts';
import type { World } from '../../world/world.ts';
import { pushPoll } from './push-poll.ts';
import { sendScheduled } from './send-scheduled.ts';

/** Does what is due by the world's clock: scheduled messages leave, polls close, questions to bots time out. */
export function carryOutDue(world: World): void {
  const due = dueMessages(world);
  if (due.length > 0) sendScheduled(world, due);
  for (const poll of closeDuePolls(world)) pushPoll(world, poll);
  world.callbackQueries.expire();
}
