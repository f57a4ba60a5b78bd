import { Type } from 'typebox';
import { createEventCodec, type Placed, type Upcaster } from '../../actors/ports/event-codec.ts';
import type { Json } from '../../actors/ports/event-store.ts';
import type { ChatBegun, TurnTaken } from './pace/pace-events.ts';
import type { SendAnswered, SendBegun } from './send-events.ts';

/** Content of an event of a stream of sends. */
type SendEventContent =
  | { type: 'SendBegun'; data: SendBegun; metadata: object }
  | { type: 'SendAnswered'; data: SendAnswered; metadata: object }
  | { type: 'TurnTaken'; data: TurnTaken; metadata: object }
  | { type: 'ChatBegun'; data: ChatBegun; metadata: object };

/** A decoded event of a stream of sends. */
export type RecordedSend = Placed<SendEventContent>;

const data = {
  SendBegun: Type.Object({
    key: Type.String(),
    body: Type.String(),
    randomId: Type.String({ pattern: '^-?\\d+$' }),
    at: Type.Number(),
    by: Type.Optional(Type.String()),
    operation: Type.Optional(Type.String()),
  }),
  SendAnswered: Type.Object({ key: Type.String(), answer: Type.Unsafe<Json>(Type.Unknown()) }),
  TurnTaken: Type.Object({
    at: Type.Number(),
    messages: Type.Integer({ minimum: 1 }),
    send: Type.String({ pattern: '^-?\\d+$' }),
    openSince: Type.Number(),
    endedBy: Type.Number(),
  }),
  ChatBegun: Type.Object({ at: Type.Number(), chat: Type.String() }),
};
const metadata = Type.Object({});

/** Version 2 added `TurnTaken` and `ChatBegun`; the other events stayed as they were. */
const asItWas: Upcaster = (event) => event;

/** Reads the events of `send-{id}`, `send-pace-{id}` and `send-chats-{id}`. */
export const sendCodec = createEventCodec<SendEventContent, typeof data, typeof metadata>({
  kind: 'send',
  upcasters: [asItWas],
  data,
  metadata,
});
