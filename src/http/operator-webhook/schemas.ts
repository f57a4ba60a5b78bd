import { type Static, Type } from 'typebox';
import { operatorEventTypes } from '../../webhook/filter/event-filter.ts';
import { printable } from '../session/session-webhook.ts';
import { url } from '../shared/fields.ts';
import { component, maybeTime, text, time } from '../shared/openapi/describe.ts';
import { eventsField } from '../webhook/event-filter-fields.ts';
import { deliveryStatus, replayChoice, replayFields } from '../webhook/schemas.ts';

/** `POST /webhooks`, `PUT /webhooks/{webhookId}` (EV2). */
export const OperatorWebhookBody = Type.Object({
  url,
  token: Type.Optional(printable),
  events: Type.Optional(eventsField(operatorEventTypes)),
});
export type OperatorWebhookBody = Static<typeof OperatorWebhookBody>;

export const OperatorWebhookParams = Type.Object({ webhookId: Type.String() });

const fields = {
  id: text('ID of the webhook.'),
  url: Type.String(),
  events: Type.Array(Type.Enum([...operatorEventTypes])),
  tenant: text('The tenant whose sessions it is told of; empty: all sessions.'),
  created: time('When it was added.'),
  by: text('Who set it last: `owner`, or the name of a key.'),
  paused: Type.Boolean({ description: 'Whether it gets nothing, because that key is revoked or has expired.' }),
  ...deliveryStatus,
};

export const OperatorWebhookSchema = Type.Object(fields, { additionalProperties: false });
export type OperatorWebhookSchema = Static<typeof OperatorWebhookSchema>;

export const NewOperatorWebhook = Type.Object(
  { ...fields, token: text('The token that its requests have and that signs them. It is never shown again.') },
  { additionalProperties: false },
);
export type NewOperatorWebhook = Static<typeof NewOperatorWebhook>;

export const OperatorWebhookList = Type.Object(
  { docs: Type.Array(component<OperatorWebhookSchema>('OperatorWebhook')) },
  { additionalProperties: false },
);

/** `POST /webhooks/{webhookId}/replay`: which events. */
export const OperatorReplayBody = Type.Object(
  {
    session: Type.Optional(Type.String({ description: 'With `seqs` or `from`: ID of the session.' })),
    ...replayFields,
  },
  replayChoice,
);
export type OperatorReplayBody = Static<typeof OperatorReplayBody>;

export const OperatorParkedEvents = Type.Object(
  {
    docs: Type.Array(
      Type.Object(
        {
          session: text('ID of the session.'),
          seq: Type.Integer({ description: 'Number of the event in the log of the session.' }),
          parked: maybeTime('When it was given up.'),
          error: text('Why it was given up.'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type OperatorParkedEvents = Static<typeof OperatorParkedEvents>;
