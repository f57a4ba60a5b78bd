import type { Method } from '../method.ts';
import { defaultNotifySettings } from '../objects/tl-peer.ts';

/** What clients ask and set for themselves, and the sandbox has no use for. */
export const accountMethods: Record<string, Method> = {
  'account.updateStatus': () => true,
  'account.getNotifySettings': () => defaultNotifySettings,
  'account.updateNotifySettings': () => true,
  'account.updateDeviceLocked': () => true,
  'account.registerDevice': () => true,
  'account.unregisterDevice': () => true,
  'account.getContentSettings': () => ({ _: 'account.contentSettings' }),
};
