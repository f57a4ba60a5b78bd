import { type Static, Type } from 'typebox';
import { Webhook } from '../session/session-webhook.ts';
import { keywords } from '../shared/keywords.ts';
import { maybeTime, text, time } from '../shared/openapi/describe.ts';
import { logPosition, pageLimit } from '../shared/paging.ts';

/** `POST /session/webhook/replay`: the `seq` to begin with. */
export const ReplayBody = Type.Object({ from: Type.Number(keywords({ positive: true })) });

/** `GET /session/webhook/parked`. */
export const ParkedQuery = Type.Object({ after: Type.Optional(logPosition), limit: pageLimit });

export const WebhookResponse = Type.Object(
  { id: text('Session ID.'), webhook: Webhook },
  { additionalProperties: false },
);
export type WebhookResponse = Static<typeof WebhookResponse>;

export const WebhookStatus = Type.Object(
  {
    id: text('Session ID.'),
    webhook: Webhook,
    pending: Type.Integer({ description: 'Events that have not been delivered yet.' }),
    lastDelivered: maybeTime('When one was delivered last.'),
    lastError: text('Why the last one that failed did so. Empty if none has.'),
    parked: Type.Integer({ description: 'Events that were given up after 24 hours.' }),
  },
  { additionalProperties: false },
);
export type WebhookStatus = Static<typeof WebhookStatus>;

export const ParkedEvents = Type.Object({
  docs: Type.Array(
    Type.Object(
      {
        seq: Type.Integer(),
        id: text('ID of the event.'),
        type: Type.String(),
        created: time('When it was recorded.'),
        error: text('Why it was given up.'),
      },
      { additionalProperties: false },
    ),
  ),
  after: Type.Integer({ description: 'The `after` of the next page.' }),
});
export type ParkedEvents = Static<typeof ParkedEvents>;

export const ReplayResponse = Type.Object(
  { id: text('Session ID.'), pending: Type.Integer({ description: 'Events that are to be delivered.' }) },
  { additionalProperties: false },
);
export type ReplayResponse = Static<typeof ReplayResponse>;

export const WebhookTest = Type.Object(
  {
    id: text('ID of the test event.'),
    delivered: Type.Boolean(),
    status: Type.Integer({ description: 'What the receiver answered; 0 where it did not.' }),
    error: text('Empty where it was delivered.'),
  },
  { additionalProperties: false },
);
export type WebhookTest = Static<typeof WebhookTest>;
