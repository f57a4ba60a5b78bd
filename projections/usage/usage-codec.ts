import { Type } from 'typebox';
import { createEventCodec } from '../../actors/ports/event-codec.ts';
import type { UsageMetadata, UsageRecorded } from './usage-events.ts';

interface UsageEventContent {
  type: 'UsageRecorded';
  data: UsageRecorded;
  metadata: UsageMetadata;
}

const count = Type.Optional(Type.Integer({ minimum: 0 }));

const data = {
  UsageRecorded: Type.Object({
    rows: Type.Array(
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
    ),
  }),
};
const metadata = Type.Object({ at: Type.Number(), by: Type.String() });

/** Reads the events of `usage-{day}.{writer}`. */
export const usageCodec = createEventCodec<UsageEventContent, typeof data, typeof metadata>({
  kind: 'usage',
  upcasters: [],
  data,
  metadata,
});
