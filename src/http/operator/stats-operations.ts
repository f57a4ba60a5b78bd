import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { SessionStats } from './stats-schemas.ts';

const example: SessionStats = {
  window: '24h',
  since: '2026-01-04T08:00:00.000Z',
  version: '1.0.0-rc.1',
  startedAt: exampleTime,
  store: 'sqlite',
  states: { qrPending: 3, codeRequired: 0, passwordRequired: 1, connected: 212, disconnected: 2, deleted: 40 },
  logins: 17,
  losses: [{ reason: 'SESSION_REVOKED', count: 2 }],
  lastLosses: [
    { id: exampleId, externalId: 'customer-4711', label: 'Support desk', reason: 'SESSION_REVOKED', at: exampleTime },
  ],
  sends: { ok: 4812, failed: 3 },
  deliveries: { ok: 20311, failed: 12, parked: 0 },
  backlog: { pending: 4, oldest: exampleTime },
  waits: 5,
  history: [{ at: exampleTime, connected: 212, logins: 1, lost: 0 }],
};

export const statsOperations: Readonly<Record<string, Operation>> = {
  'GET /sessions/stats': {
    id: 'getSessionStats',
    tag: 'Operation',
    summary: 'Whether all is well: counts of an hour, a day or a week',
    description:
      'From the log, so a restart loses nothing. Sends, deliveries and waits are there about a second after they happened. A key ' +
      'with a tenant gets the counts of its sessions.',
    access: 'operator',
    parameters: {
      window: '`1h`, `24h` or `7d`; default `1h`.',
      history:
        '`true`: also how many sessions were connected over the window, and the logins and losses of each part of it.',
    },
    response: { description: 'The counts.', schema: SessionStats, example },
    revalidated: true,
    errors: [
      [400, 'window must be one of the following values: 1h, 24h, 7d', ''],
      [400, 'history must be one of the following values: true, false', ''],
    ],
  },
};
