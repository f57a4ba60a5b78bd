import { Type } from 'typebox';
import { createEventCodec } from '../../../actors/ports/event-codec.ts';
import type { OutboxProgress } from './outbox-progress.ts';
import type { SeqRange } from './seq-ranges.ts';

/** What an event of an outbox's stream holds. */
interface OutboxEventContent {
  type: 'OutboxMoved';
  data: OutboxProgress;
  /** When it was saved, milliseconds since 1970. */
  metadata: { at: number };
}

const milliseconds = Type.Number();
const failing = Type.Object({ attempts: Type.Integer(), since: milliseconds, nextAt: milliseconds });

const data = {
  OutboxMoved: Type.Object({
    since: milliseconds,
    upTo: Type.Object({ seq: Type.Number(), revision: Type.Integer() }),
    chats: Type.Record(
      Type.String(),
      Type.Object({ from: Type.Integer(), count: Type.Integer(), failing: Type.Optional(failing) }),
    ),
    parked: Type.Array(
      Type.Object({
        error: Type.String(),
        ranges: Type.Array(Type.Unsafe<SeqRange>(Type.Tuple([Type.Number(), Type.Number()]))),
      }),
    ),
    lastDelivered: Type.Optional(Type.Object({ seq: Type.Number(), at: milliseconds })),
    lastError: Type.Optional(Type.Object({ seq: Type.Number(), at: milliseconds, message: Type.String() })),
  }),
};

const metadata = Type.Object({ at: milliseconds });

/** Reads the events of `outbox-{id}`. */
export const outboxCodec = createEventCodec<OutboxEventContent, typeof data, typeof metadata>({
  kind: 'outbox',
  upcasters: [],
  data,
  metadata,
});
