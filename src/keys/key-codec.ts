import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../actors/ports/event-codec.ts';
import type { KeyIssued, KeyMetadata, KeyRevoked } from './key-events.ts';
import { keyScopes } from './scopes.ts';

export type KeyEventContent =
  | { type: 'KeyIssued'; data: KeyIssued; metadata: KeyMetadata }
  | { type: 'KeyRevoked'; data: KeyRevoked; metadata: KeyMetadata };

/** A decoded event of the stream of keys. */
export type RecordedKeyEvent = Placed<KeyEventContent>;

const data = {
  KeyIssued: Type.Object({
    id: Type.String(),
    hash: Type.String({ pattern: '^[\\da-f]{64}$' }),
    name: Type.String(),
    scopes: Type.Array(Type.Enum([...keyScopes])),
    tenant: Type.Optional(Type.String()),
    expires: Type.Optional(Type.Number()),
    limits: Type.Optional(
      Type.Object({
        sessions: Type.Optional(Type.Integer({ minimum: 1 })),
        sendsPerDay: Type.Optional(Type.Integer({ minimum: 1 })),
      }),
    ),
    chats: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    issuer: Type.Optional(Type.String()),
  }),
  KeyRevoked: Type.Object({ id: Type.String() }),
};
const metadata = Type.Object({ at: Type.Number(), author: Type.String() });

/** Reads the events of `keys`. Since version 2 a key may have `chats`. */
export const keyCodec = createEventCodec<KeyEventContent, typeof data, typeof metadata>({
  kind: 'keys',
  upcasters: [(content) => content],
  data,
  metadata,
});

/**
 * The metadata of a new event. A gateway of version 1 would read a key with `chats` as one without a bound, so such an event alone
 * has version 2: that gateway reads none of a later version, and does not know the key.
 */
export const stampKeyEvent = <Given extends KeyMetadata>(given: Given, content: KeyIssued | KeyRevoked): Given =>
  'chats' in content ? keyCodec.stamp(given) : given;
