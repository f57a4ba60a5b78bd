import { dayOf } from '../../../projections/usage/session-seconds.ts';
import type { UsageOfDay, UsagePlace } from '../../../projections/usage/usage-days.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { defaultPageLimit } from '../shared/paging.ts';
import { type SessionUsage, UsageQuery } from './schemas.ts';

type Deps = Pick<AppDeps, 'usageDays' | 'views' | 'keys' | 'clock'>;

const dayMs = 24 * 60 * 60_000;
/** If the query does not say how many. */
const defaultDays = 30;
const maxDays = 400;
/** Digits of an hour: a tenth of a second. */
const hourDigits = 4;

/** `GET /usage` (KY3), inside the authentication of `sessions:read`; each key sees its tenant's alone. */
export function usageRoutes(app: App, deps: Deps): void {
  const { usageDays, views, clock } = deps;
  app.get('/usage', { schema: { querystring: UsageQuery } }, ({ query, caller }) => {
    const now = clock.now();
    const { powers } = caller;
    if (powers.tenant !== undefined && query.tenant && query.tenant !== powers.tenant) return { docs: [], after: '' };
    const tenant = powers.tenant ?? (query.tenant || undefined);
    const days = daysOf(query, now);
    const place = query.after ? placeOf(query.after) : undefined;
    const limit = Number(query.limit ?? defaultPageLimit);
    const docs: SessionUsage[] = [];
    for (const day of days) {
      if (place !== undefined && day < place.day) continue;
      const after = place?.day === day ? place : undefined;
      // One more than requested shows whether there is another page.
      const rows = usageDays.ofDay({ day, after, limit: limit + 1 - docs.length, tenant, now }, views);
      docs.push(...rows.map((row) => shown(deps, day, row)));
      if (docs.length > limit) break;
    }
    const page = docs.slice(0, limit);
    return { docs: page, after: docs.length > limit ? afterOf(page.at(-1)) : '' };
  });
}

/** @throws {GatewayError} 400 */
function daysOf({ from, to }: UsageQuery, now: number): string[] {
  const last = Date.parse(to || dayOf(now));
  const first = from ? Date.parse(from) : last - (defaultDays - 1) * dayMs;
  const isDay = (ms: number, given: string | undefined): boolean =>
    !given || (!Number.isNaN(ms) && dayOf(ms) === given);
  if (!isDay(first, from)) throw new GatewayError(400, 'from must be a day, such as 2026-11-25');
  if (!isDay(last, to)) throw new GatewayError(400, 'to must be a day, such as 2026-11-25');
  const count = Math.floor((last - first) / dayMs) + 1;
  if (count > maxDays) throw new GatewayError(400, `from must be at most ${maxDays} days before to`);
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayOf(first + index * dayMs));
}

interface Place extends UsagePlace {
  day: string;
}

const afterOf = ({ day = '', session = '', key = '' }: Partial<SessionUsage> = {}): string =>
  [day, session, key].join('.');

/** @throws {GatewayError} 400 */
function placeOf(after: string): Place {
  const [day, session, key, ...more] = after.split('.');
  if (day === undefined || session === undefined || key === undefined || more.length > 0) {
    throw new GatewayError(400, 'after must be that of a page');
  }
  return { day, session, key };
}

function shown({ keys }: Pick<Deps, 'keys'>, day: string, row: UsageOfDay): SessionUsage {
  const { tenant = '', key = '', session, sent = 0, notSent = 0, delivered = 0, notDelivered = 0, parked = 0 } = row;
  return {
    day,
    tenant,
    key,
    keyName: keys.get(key)?.name ?? '',
    session,
    sends: { ok: sent, failed: notSent },
    deliveries: { ok: delivered, failed: notDelivered, parked },
    mediaBytes: row.mediaBytes ?? 0,
    sessionHours: Number((row.seconds / 3_600).toFixed(hourDigits)),
  };
}
