import type { Method } from '../method.ts';
import { defaultNotifySettings } from '../objects/tl-peer.ts';

/** Settings that clients read and write and that have no effect in the sandbox. */
export const accountMethods: Record<string, Method> = {
  'account.updateStatus': () => true,
  'account.getNotifySettings': () => defaultNotifySettings,
  'account.updateNotifySettings': () => true,
  'account.updateDeviceLocked': () => true,
  'account.registerDevice': () => true,
  'account.unregisterDevice': () => true,
  'account.getContentSettings': () => ({ _: 'account.contentSettings' }),
};
