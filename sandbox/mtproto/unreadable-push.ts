import type { PushShape } from '../rpc.ts';
import type { Schema } from '../tl/schema.ts';
import { writeGzipped } from './container.ts';

/** A push that no known layer can read, as a server sends it whose layer is later than the client's. */
export function unreadablePush(schema: Schema, shape: PushShape): Buffer {
  const text = 'of a later layer';
  const update = { _: 'updateOfLaterLayer', text };
  if (shape === 'short') return schema.write({ _: 'updateShort', update, date: Math.floor(Date.now() / 1000) });
  const lone = schema.write({ _: 'updatesOfLaterLayer', text });
  return shape === 'lone' ? lone : writeGzipped(lone);
}
