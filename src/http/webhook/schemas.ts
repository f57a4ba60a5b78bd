import { type Static, Type } from 'typebox';
import { webhookEventTypes } from '../../webhook/filter/event-filter.ts';
import { SessionWebhook } from '../session/session-webhook.ts';
import { keywords } from '../shared/keywords.ts';
import { maybeTime, text, time } from '../shared/openapi/describe.ts';
import { logPosition, pageLimit } from '../shared/paging.ts';
import { chatsField } from './event-filter-fields.ts';

const seq = (description: string) => Type.Integer({ description, ...keywords({ positive: true }) });
const maxSeqs = 100;

export const replayFields = {
  from: Type.Optional(seq('The `seq` to begin with.')),
  to: Type.Optional(seq('With `from`: the last `seq`. Left out: all that come after.')),
  seqs: Type.Optional(Type.Array(seq('A `seq`.'), { minItems: 1, maxItems: maxSeqs })),
  parked: Type.Optional(Type.Boolean({ description: '`true`: all that are parked.' })),
};
export const replayChoice = keywords({ exactlyOne: ['from', 'seqs', 'parked'] });
/** `POST /session/webhook/replay` (OS4): which events. */
export const ReplayBody = Type.Object(replayFields, replayChoice);
export type ReplayBody = Static<typeof ReplayBody>;

/** `GET /session/webhook/parked`. */
export const ParkedQuery = Type.Object({ after: Type.Optional(logPosition), limit: pageLimit });

export const WebhookResponse = Type.Object(
  { id: text('Session ID.'), webhook: SessionWebhook },
  { additionalProperties: false },
);
export type WebhookResponse = Static<typeof WebhookResponse>;

const filter = {
  events: Type.Array(Type.Enum([...webhookEventTypes]), { description: 'Empty while the webhook is off.' }),
  chats: Type.Union([...chatsField.anyOf], { description: 'A word for kinds of chats, or the IDs of chats.' }),
};
/** How the deliveries of a webhook are. */
export const deliveryStatus = {
  pending: Type.Integer({ description: 'Events that have not been delivered yet.' }),
  lastDelivered: maybeTime('When an event was delivered last.'),
  lastError: text('Why the last failed attempt failed. Empty if none has failed.'),
  lastFailed: maybeTime('When it failed.'),
  nextAttempt: maybeTime('When the next attempt of a failed delivery is due. Empty if none is waiting.'),
  parked: Type.Integer({ description: 'Events that were given up after 24 hours.' }),
};

export const WebhookStatus = Type.Object(
  { id: text('Session ID.'), webhook: SessionWebhook, ...filter, ...deliveryStatus },
  { additionalProperties: false },
);
export type WebhookStatus = Static<typeof WebhookStatus>;

/** `/session/webhooks/{webhookId}` */
export const WebhookParams = Type.Object({ webhookId: Type.String() });

/** A webhook of `/session/webhooks`. */
export const OneWebhook = Type.Object(
  {
    id: text('Of the webhook: its `webhookId`, as long as it is on.'),
    url: Type.String(),
    token: Type.String(),
    ...filter,
    ...deliveryStatus,
  },
  { additionalProperties: false },
);
export type OneWebhook = Static<typeof OneWebhook>;

/** `GET /session/webhooks` */
export const WebhookList = Type.Object({ docs: Type.Array(OneWebhook) }, { additionalProperties: false });

export const DeletedWebhook = Type.Object({ id: text('The `webhookId`.') }, { additionalProperties: false });

export const ParkedEvents = Type.Object({
  docs: Type.Array(
    Type.Object(
      {
        seq: Type.Integer(),
        id: text('ID of the event.'),
        type: Type.String(),
        created: time('When the event was recorded.'),
        error: text('Why the event was given up.'),
      },
      { additionalProperties: false },
    ),
  ),
  after: Type.Integer({ description: 'The `after` of the next page.' }),
});
export type ParkedEvents = Static<typeof ParkedEvents>;

export const ReplayResponse = Type.Object(
  {
    id: text('Session ID; of an operators’ webhook, its own.'),
    pending: Type.Integer({ description: 'Events that are to be delivered.' }),
  },
  { additionalProperties: false },
);
export type ReplayResponse = Static<typeof ReplayResponse>;

export const WebhookTest = Type.Object(
  {
    id: text('ID of the test event.'),
    delivered: Type.Boolean(),
    status: Type.Integer({ description: 'Status of the response; 0 without a response.' }),
    error: text('Why the test failed. Empty if it was delivered.'),
  },
  { additionalProperties: false },
);
export type WebhookTest = Static<typeof WebhookTest>;
