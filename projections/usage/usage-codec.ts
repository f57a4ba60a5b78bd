import { Type } from 'typebox';
import { createEventCodec } from '../../actors/ports/event-codec.ts';
import type { UsageMetadata, UsageRecorded, UsageSummed } from './usage-events.ts';

type UsageEventContent = { metadata: UsageMetadata } & (
  | { type: 'UsageRecorded'; data: UsageRecorded }
  | { type: 'UsageSummed'; data: UsageSummed }
);

const count = Type.Optional(Type.Integer({ minimum: 0 }));

const rows = Type.Array(
  Type.Object({
    session: Type.String(),
    tenant: Type.Optional(Type.String()),
    key: Type.Optional(Type.String()),
    sent: count,
    notSent: count,
    delivered: count,
    notDelivered: count,
    parked: count,
    waits: count,
    mediaBytes: count,
  }),
);
const data = {
  UsageRecorded: Type.Object({ rows }),
  UsageSummed: Type.Object({ day: Type.String(), rows }),
};
const metadata = Type.Object({ at: Type.Number(), by: Type.String() });

/** Reads the events of `usage-{day}.{writer}`. */
export const usageCodec = createEventCodec<UsageEventContent, typeof data, typeof metadata>({
  kind: 'usage',
  upcasters: [],
  data,
  metadata,
});
