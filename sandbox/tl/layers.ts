import { readdirSync, readFileSync } from 'node:fs';
import { createSchema, type Schema } from './schema.ts';

const folder = new URL('./schema/', import.meta.url);

/** MTProto's own constructors: the handshake and the service messages. */
export const mtprotoSchema: Schema = createSchema(readFileSync(new URL('mtproto.tl', folder), 'utf8'));

/**
 * What no known layer has: a client cannot read them. Pushes and differences that a fault makes unreadable hold them.
 */
const laterLayer = `
---types---
updatesOfLaterLayer#deadbeef text:string = Updates;
updateOfLaterLayer#deadbee5 text:string = Update;
`;

/** The layers of the API that have a schema file, lowest first. */
export const knownLayers: readonly number[] = readdirSync(folder)
  .flatMap((file) => /^layer(\d+)\.tl$/.exec(file)?.[1] ?? [])
  .map(Number)
  .toSorted((a, b) => a - b);

const schemas = new Map<number, Schema>();

/** The schema of the nearest known layer at or below `layer`, else of the lowest. Parsed on first use. */
export function schemaOfLayer(layer: number): Schema {
  const known = knownLayers.findLast((other) => other <= layer) ?? knownLayers[0];
  if (known === undefined) throw new Error('sandbox/tl/schema has no layer');
  let schema = schemas.get(known);
  if (!schema) {
    schema = createSchema(readFileSync(new URL(`layer${known}.tl`, folder), 'utf8') + laterLayer);
    schemas.set(known, schema);
  }
  return schema;
}
