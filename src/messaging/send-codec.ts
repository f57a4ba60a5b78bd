import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../actors/ports/event-codec.ts';
import type { Json } from '../../actors/ports/event-store.ts';
import type { SendAnswered, SendBegun } from './send-events.ts';

/** Content of an event of a stream of keyed sends. */
type SendEventContent =
  | { type: 'SendBegun'; data: SendBegun; metadata: object }
  | { type: 'SendAnswered'; data: SendAnswered; metadata: object };

/** A decoded event of a stream of keyed sends. */
export type RecordedSend = Placed<SendEventContent>;

const data = {
  SendBegun: Type.Object({
    key: Type.String(),
    body: Type.String(),
    randomId: Type.String({ pattern: '^-?\\d+$' }),
    at: Type.Number(),
  }),
  SendAnswered: Type.Object({ key: Type.String(), answer: Type.Unsafe<Json>(Type.Unknown()) }),
};
const metadata = Type.Object({});

/** Reads the events of `send-{id}`. */
export const sendCodec = createEventCodec<SendEventContent, typeof data, typeof metadata>({
  kind: 'send',
  upcasters: [],
  data,
  metadata,
});
