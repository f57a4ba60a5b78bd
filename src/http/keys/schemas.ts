import { type Static, Type } from 'typebox';
import { authors } from '../../../actors/session/events.ts';
import { keyStates } from '../../keys/issued-key.ts';
import { keyScopes } from '../../keys/scopes.ts';
import { idPattern } from '../../recipients/recipient.ts';
import { keywords } from '../shared/keywords.ts';
import { component, maybeTime, text, time } from '../shared/openapi/describe.ts';
import { limitUpTo } from '../shared/paging.ts';

/** It stands in audits and metrics, in the place of the other authors. */
const keyName = Type.String(
  keywords({
    pattern: String.raw`^(?!(?:${authors.join('|')})$)[\w.@-](?:[\w .@-]{0,62}[\w.@-])?$`,
    is: `up to 64 letters, digits, blanks and . _ @ -, and none of ${authors.join(', ')}`,
  }),
);
const tenantName = Type.String(
  keywords({ pattern: String.raw`^[\w.-]{1,64}$`, is: 'up to 64 letters, digits and . _ -' }),
);

const limits = (description: string) =>
  Type.Object(
    {
      sessions: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Live sessions that the key has created.' }),
      ),
      sendsPerDay: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Messages in a day, in UTC.' }),
      ),
    },
    { additionalProperties: false, description },
  );

/** KY5: a key names as many chats as a webhook does (EV1). */
const maxChats = 100;

/** As `chatId` has them. */
const chatIds = (description: string, minItems: 0 | 1) =>
  Type.Array(Type.String(keywords({ pattern: idPattern.source, is: 'a chat ID' })), {
    minItems,
    maxItems: maxChats,
    description,
  });

/** `POST /keys` (KY1). */
export const KeyBody = Type.Object({
  name: keyName,
  scopes: Type.Array(Type.Enum([...keyScopes]), { minItems: 1, maxItems: keyScopes.length }),
  tenant: Type.Optional(tenantName),
  expires: Type.Optional(Type.String({ description: 'ISO 8601.' })),
  limits: Type.Optional(limits('How much the key may use; what is left out has no limit.')),
  chats: Type.Optional(chatIds('IDs of the only chats in which the key uses accounts; left out: all of them.', 1)),
});
export type KeyBody = Static<typeof KeyBody>;

/** `GET /keys`. */
export const KeysQuery = Type.Object({
  after: Type.Optional(Type.String()),
  limit: limitUpTo(100),
  state: Type.Optional(Type.Enum([...keyStates, 'any'])),
});

const fields = {
  id: text('ID of the key.'),
  name: text('Recorded with all that the key does.'),
  scopes: Type.Array(Type.Enum([...keyScopes])),
  tenant: text('The only tenant whose sessions the key sees; empty without one.'),
  created: time('When it was issued.'),
  by: text('Who issued it: `owner`, or the name of a key.'),
  expires: maybeTime('When it ends by itself.'),
  revoked: maybeTime('When it was revoked.'),
  limits: limits('How much it may use; what is left out has no limit.'),
  chats: chatIds('IDs of the only chats in which it uses accounts; empty: all of them.', 0),
  state: Type.Enum([...keyStates]),
};

export const KeySchema = Type.Object(fields, { additionalProperties: false });
export type KeySchema = Static<typeof KeySchema>;

export const NewKey = Type.Object(
  { ...fields, key: text('The key itself, as `x-api-key` takes it. It is not stored, and never shown again.') },
  { additionalProperties: false },
);
export type NewKey = Static<typeof NewKey>;

export const KeyPage = Type.Object({
  docs: Type.Array(component<KeySchema>('Key')),
  after: text('The `after` of the next page; empty when there is none.'),
});

export const KeyIdResponse = Type.Object({ id: fields.id }, { additionalProperties: false });
