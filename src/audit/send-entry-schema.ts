import { type Static, Type } from 'typebox';

const text = (description: string) => Type.String({ description });

/** What is recorded of a send with an `Idempotency-Key`, as it is shown (AD7). */
export const SendEntry = Type.Object(
  {
    seq: Type.Integer({ description: "Place in the log of the session's sends, from 1." }),
    type: Type.Enum(['SendBegun', 'SendAnswered'], {
      description: 'It began: Telegram is called next. Or its response was recorded: it was sent.',
    }),
    created: text('When it was recorded. ISO 8601.'),
    send: text(
      'The same for all that is recorded of one send. Made from the `Idempotency-Key`, which it does not tell.',
    ),
    by: Type.Optional(text('Who sent: `owner`, the name of a key, or `session`. Only as it begins.')),
    operation: Type.Optional(text('The request: `POST /message`. Only as it begins.')),
  },
  { additionalProperties: false },
);
export type SendEntry = Static<typeof SendEntry>;
