import { isDeepStrictEqual } from 'node:util';
import type { EventShape } from '../../../actors/ports/event-codec.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import { usageCodec } from '../../../projections/usage/usage-codec.ts';
import { keyCodec } from '../../../src/keys/key-codec.ts';
import { limitCodec } from '../../../src/keys/limits/limit-codec.ts';
import { linkCodec } from '../../../src/links/link-codec.ts';
import { sendCodec } from '../../../src/messaging/send-codec.ts';
import { vaultCodec } from '../../../src/store/vault/vault-codec.ts';
import { placeCodec } from '../../../src/webhook/operators/place-codec.ts';
import { webhookCodec } from '../../../src/webhook/operators/webhook-codec.ts';
import { deliveryCodec } from '../../../src/webhook/stream/delivery-codec.ts';
import { followedCodec } from '../../../src/webhook/stream/followed-codec.ts';
import { outboxCodec } from '../../../src/webhook/stream/outbox-codec.ts';

/** Of the streams that belong to no session. */
export const operatorCodecs = [keyCodec, linkCodec, webhookCodec, placeCodec, usageCodec, limitCodec];

/** What events hold, by kind of stream. */
export type Shapes = Record<string, { version: number; shape: EventShape }>;

/** As JSON keeps them. */
export function todaysShapes(): Shapes {
  const codecs = [sessionCodec, deliveryCodec, outboxCodec, sendCodec, vaultCodec, followedCodec, ...operatorCodecs];
  const shapes = codecs.map(({ kind, version, shape }) => [kind, { version, shape }] as const);
  return JSON.parse(JSON.stringify(Object.fromEntries(shapes))) as Shapes;
}

/**
 * What has changed since the shapes were recorded although the version is the same, a line each: events that were written
 * before would be read as something that they are not, or not at all.
 */
export function unversionedChanges(recorded: Shapes, today: Shapes): string[] {
  return Object.entries(recorded).flatMap(([kind, { version, shape }]) => {
    const now = today[kind];
    if (now === undefined) return [`${kind}: is not read any more`];
    if (now.version < version) return [`${kind}: version ${now.version} is older than ${version}`];
    if (now.version > version) return [];
    const types = new Set([...Object.keys(shape.data), ...Object.keys(now.shape.data)]);
    return [
      ...(isDeepStrictEqual(shape.metadata, now.shape.metadata) ? [] : [`${kind}: the metadata`]),
      ...[...types]
        .filter((type) => !isDeepStrictEqual(shape.data[type], now.shape.data[type]))
        .map((type) => `${kind}: ${type}`),
    ];
  });
}
