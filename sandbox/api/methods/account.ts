import { waitingFor } from '../../world/scheduled/scheduled-messages.ts';
import type { Method } from '../method.ts';
import { sendScheduled } from '../push/send-scheduled.ts';

/** What waits until the user is online leaves now. */
const updateStatus: Method = (params, { world, me }) => {
  if (params['offline'] === false) sendScheduled(world, waitingFor(world, me.id));
  return true;
};

/** Settings that clients read and write and that have no effect in the sandbox. */
export const accountMethods: Record<string, Method> = {
  'account.updateStatus': updateStatus,
  'account.updateDeviceLocked': () => true,
  'account.registerDevice': () => true,
  'account.unregisterDevice': () => true,
  'account.getContentSettings': () => ({ _: 'account.contentSettings' }),
};
