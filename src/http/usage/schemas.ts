import { type Static, Type } from 'typebox';
import { keywords } from '../shared/keywords.ts';
import { component, text } from '../shared/openapi/describe.ts';
import { countOfThings, deliveryCounts, sendCounts } from '../shared/openapi/usage-counts.ts';
import { pageLimit } from '../shared/paging.ts';

const day = Type.Optional(
  Type.String(keywords({ pattern: String.raw`^\d{4}-\d\d-\d\d$`, is: 'a day, such as 2026-11-25' })),
);

/** `GET /usage` (KY3). */
export const UsageQuery = Type.Object({
  tenant: Type.Optional(Type.String()),
  from: day,
  to: day,
  after: Type.Optional(Type.String()),
  limit: pageLimit,
});
export type UsageQuery = Static<typeof UsageQuery>;

export const SessionUsage = Type.Object(
  {
    day: text('In UTC: `2026-11-25`.'),
    tenant: text('Of the session; empty if it has none.'),
    key: text('ID of the key; empty without one.'),
    keyName: text('Its name; empty without one.'),
    session: text('Session ID.'),
    sends: sendCounts,
    deliveries: deliveryCounts,
    mediaBytes: countOfThings('Bytes of files that were sent, and of files that viewers of media links got.'),
    sessionHours: Type.Number({
      minimum: 0,
      description: 'How long the session lived on that day, in the row of the key that created it.',
    }),
  },
  { additionalProperties: false },
);
export type SessionUsage = Static<typeof SessionUsage>;

export const UsagePage = Type.Object({
  docs: Type.Array(component<SessionUsage>('SessionUsage')),
  after: text('The `after` of the next page; empty when there is none.'),
});
