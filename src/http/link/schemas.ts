import { type Static, Type } from 'typebox';
import { codeChannels } from '../../../actors/ports/telegram-session.ts';
import { linkStates } from '../../links/customer-link.ts';
import { CreationBody } from '../session/schemas.ts';
import { component, maybeTime, text, time } from '../shared/openapi/describe.ts';
import { limitUpTo } from '../shared/paging.ts';

const { login: _byLink, ...settings } = CreationBody.properties;

/** `POST /links` (OS5). */
export const LinkBody = Type.Object({
  session: Type.Optional(Type.Object(settings)),
  expires: Type.Optional(Type.String({ description: 'ISO 8601, up to 7 days ahead; 24 hours if it is left out.' })),
});
export type LinkBody = Static<typeof LinkBody>;

/** `GET /links`. */
export const LinksQuery = Type.Object({
  after: Type.Optional(Type.String()),
  limit: limitUpTo(100),
  state: Type.Optional(Type.Enum([...linkStates, 'any'])),
});

const fields = {
  id: text('ID of the link.'),
  state: Type.Enum([...linkStates], { description: '`used`: the account of its session was connected.' }),
  externalId: text('The caller’s own ID of its session. Empty if it has none.'),
  label: text('The caller’s own name for its session. Empty if it has none.'),
  tenant: text('The tenant of the key that made it; empty without one.'),
  created: time('When it was made.'),
  by: text('Who made it: `owner`, or the name of a key.'),
  expires: time('When it ends by itself.'),
  ended: maybeTime('When it was used up or withdrawn.'),
  session: text('ID of the session that it has shown last; empty before the customer has pressed the button.'),
  sessionsMade: Type.Integer({ description: 'How many sessions it has made, up to 10.' }),
};

export const LinkSchema = Type.Object(fields, { additionalProperties: false });
export type LinkSchema = Static<typeof LinkSchema>;

export const LinkPage = Type.Object({
  docs: Type.Array(component<LinkSchema>('Link')),
  after: text('The `after` of the next page; empty when there is none.'),
});

export const NewLink = Type.Object(
  {
    id: fields.id,
    url: text('What the customer opens. It holds the token, which is not stored and never shown again.'),
    expires: fields.expires,
  },
  { additionalProperties: false },
);
export type NewLink = Static<typeof NewLink>;

export const LinkIdResponse = Type.Object({ id: fields.id }, { additionalProperties: false });

const customerStates = [
  'waiting',
  'qrPending',
  'codeRequired',
  'passwordRequired',
  'connected',
  'disconnected',
  'used',
] as const;

/** What a customer's page shows, and nothing else of the account. */
export const CustomerView = Type.Object(
  {
    state: Type.Enum([...customerStates], {
      description: '`waiting`: there is no session; `used`: the account is connected, and the link is used up.',
    }),
    deadline: maybeTime('When the state ends by itself.'),
    qrcode: text('QR image as base64 PNG; empty in every state but `qrPending`.'),
    codeSentTo: Type.Enum(['', ...codeChannels]),
    sessionsLeft: Type.Integer({ description: 'How many more sessions the link can make.' }),
  },
  { additionalProperties: false },
);
export type CustomerView = Static<typeof CustomerView>;
