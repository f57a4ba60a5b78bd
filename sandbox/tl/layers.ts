import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSchema, type Schema } from './schema.ts';

const folder = fileURLToPath(new URL('./schema/', import.meta.url));

/** MTProto's own constructors: the handshake and the service messages. */
export const mtprotoSchema: Schema = createSchema(readFileSync(join(folder, 'mtproto.tl'), 'utf8'));

/**
 * What no known layer has: a client cannot read them. Pushes and differences that a fault makes unreadable hold them.
 */
const laterLayer = `
---types---
updatesOfLaterLayer#deadbeef text:string = Updates;
updateOfLaterLayer#deadbee5 text:string = Update;
`;

/** The schema files by layer. */
const files = new Map(schemaFilesIn(folder));
const schemas = new Map<number, Schema>();

function schemaFilesIn(path: string): [number, string][] {
  return readdirSync(path).flatMap((file): [number, string][] => {
    const layer = /^layer(\d+)\.tl$/.exec(file)?.[1];
    return layer === undefined ? [] : [[Number(layer), join(path, file)]];
  });
}

/** The layers of the API that have a schema, lowest first. */
export const knownLayers = (): number[] => [...files.keys()].toSorted((a, b) => a - b);

/** The schema of this layer; of the lowest known layer if it has none. Parsed on first use. */
export function schemaOfLayer(layer: number): Schema {
  const known = files.has(layer) ? layer : Math.min(...files.keys());
  let schema = schemas.get(known);
  if (!schema) {
    schema = createSchema(readFileSync(files.get(known) ?? '', 'utf8') + laterLayer);
    schemas.set(known, schema);
  }
  return schema;
}

/**
 * Adds the schemas of a folder, for all sandboxes of this process: `layerN.tl` is layer N, and replaces one that is
 * known. @throws if the folder cannot be read, has no such file, or has one that is not a schema of the API
 */
export function addSchemas(path: string): void {
  const added = schemaFilesIn(path);
  if (added.length === 0) throw new Error(`${path} has no file with a name like layer198.tl`);
  for (const [layer, file] of added) {
    const schema = createSchema(readFileSync(file, 'utf8') + laterLayer);
    if (!schema.definition('invokeWithLayer'))
      throw new Error(`${file} is not a schema of the API: no invokeWithLayer`);
    files.set(layer, file);
    schemas.set(layer, schema);
  }
}

/** A client has named a layer that has no schema. */
export class UnknownLayer extends Error {
  override name = 'UnknownLayer';

  constructor(layer: number) {
    super(
      `Layer ${layer} has no schema (there are ${knownLayers().join(', ')}). ` +
        `To add it, put layer${layer}.tl in a folder, and start the sandbox with SANDBOX_SCHEMAS=<folder>`,
    );
  }
}

export const hasSchema = (layer: number): boolean => files.has(layer);

/** @throws {UnknownLayer} if the layer has no schema */
export function requireSchema(layer: number): void {
  if (!hasSchema(layer)) throw new UnknownLayer(layer);
}
