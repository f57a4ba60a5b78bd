import { type Static, Type } from 'typebox';
import { deliveryStatuses } from '../../webhook/list/delivery-state.ts';
import type { Payload } from '../../webhook/payload/payloads.ts';
import { shortText } from '../shared/fields.ts';
import { maybeTime, text, time } from '../shared/openapi/describe.ts';
import { limitUpTo } from '../shared/paging.ts';

/** `GET /session/webhook/deliveries`. */
export const DeliveriesQuery = Type.Object({
  status: Type.Optional(Type.Enum([...deliveryStatuses])),
  chatId: Type.Optional(shortText),
  after: Type.Optional(shortText),
  limit: limitUpTo(100),
});

const closed = { additionalProperties: false };

const DeliverySchema = Type.Object(
  {
    seq: Type.Integer({ description: 'Number of the event.' }),
    id: text('ID of the event.'),
    type: text('Type of the event. Empty if it cannot be read.'),
    created: time('When the event was recorded.'),
    status: Type.Enum([...deliveryStatuses]),
    attempts: Type.Integer({
      description:
        'Attempts so far; 0 while it waits behind an earlier one of its chat. Of one that is finished: 1, or more if it is ' +
        'among the last 500 that took several.',
    }),
    lastStatus: Type.Integer({ description: 'Status of the response to its last attempt, if that failed; else 0.' }),
    lastError: text('Why its last attempt failed. Empty if none has failed, or once it is delivered.'),
    nextAttempt: maybeTime('When its chat is tried next, if that has failed.'),
    event: Type.Optional(
      Type.Unsafe<Payload>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'The envelope, as its endpoint gets it. Left out if it cannot be opened.',
          },
        ),
      ),
    ),
  },
  closed,
);
export type DeliverySchema = Static<typeof DeliverySchema>;

export const DeliveryList = Type.Object(
  {
    docs: Type.Array(DeliverySchema),
    after: text('The `after` of the next page; empty at the end. A page may end before its limit.'),
  },
  closed,
);
export type DeliveryList = Static<typeof DeliveryList>;
