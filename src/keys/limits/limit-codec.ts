import { Type } from 'typebox';
import { createEventCodec } from '../../../actors/ports/event-codec.ts';
import type { LimitMetadata, SendsCounted } from './limit-events.ts';

interface LimitEventContent {
  type: 'SendsCounted';
  data: SendsCounted;
  metadata: LimitMetadata;
}

const data = {
  SendsCounted: Type.Object({
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    total: Type.Integer({ minimum: 1 }),
  }),
};
const metadata = Type.Object({ at: Type.Number() });

/** Reads the events of `limit-{keyId}`. */
export const limitCodec = createEventCodec<LimitEventContent, typeof data, typeof metadata>({
  kind: 'limit',
  upcasters: [],
  data,
  metadata,
});
