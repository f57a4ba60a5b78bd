import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { type SessionUsage, UsagePage } from './schemas.ts';

const usage: SessionUsage = {
  day: '2026-01-05',
  tenant: 'acme',
  key: '0197f3a2-8d40-7a11-9c55-2f6f0a1b3c4d',
  keyName: 'support desk',
  session: exampleId,
  sends: { ok: 120, failed: 1 },
  deliveries: { ok: 310, failed: 2, parked: 0 },
  mediaBytes: 7340032,
  sessionHours: 24,
};

export const usageOperations: Readonly<Record<string, Operation>> = {
  'GET /usage': {
    id: 'listUsage',
    tag: 'Operation',
    summary: 'What sessions have used, by day, session and key',
    description:
      'A row for each day, session and key, from the log; days are in UTC. What is done with the secret of a session, and what ' +
      'webhooks and viewers get, counts for the key that created the session. The last second is missing. A key with a tenant gets the rows of its sessions.',
    access: 'operator',
    parameters: {
      tenant: 'Only the sessions of this tenant.',
      from: 'The first day; default: 29 days before the last one, at most 399.',
      to: 'The last day; default: today.',
      after: 'The `after` of the previous page.',
      limit: 'Up to this many, 1 to 1000; default 100.',
    },
    response: { description: 'A page of rows.', schema: UsagePage, example: { docs: [usage], after: '' } },
    revalidated: true,
    errors: [
      [400, 'from must be a day, such as 2026-11-25', ''],
      [400, 'from must be at most 400 days before to', ''],
      [400, 'after must be that of a page', ''],
    ],
  },
};
