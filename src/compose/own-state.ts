import type { SessionViews } from '../../projections/session-view.ts';
import { isLoopback } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import type { OwnAddresses } from '../http/shared/limits/refuse-strangers.ts';

/** How many sessions are not deleted. */
export function liveSessions(views: Pick<SessionViews, 'countByState'>): number {
  const { deleted: _ended, ...live } = views.countByState();
  return Object.values(live).reduce((sum, count) => sum + count, 0);
}

/** AU5: what only this machine should reach answers to this machine's addresses, and to the one that it is given. */
export function ownAddresses({ apiKey, allowOpen, publicUrl }: Config): OwnAddresses | undefined {
  return apiKey === undefined && !allowOpen ? { isLoopback, publicUrl } : undefined;
}
