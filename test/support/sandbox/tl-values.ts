import fc, { type GeneratorValue } from 'fast-check';
import type { TlObject } from '../../../sandbox/rpc.ts';
import type { FieldType, SchemaDefinition, SchemaField } from '../../../sandbox/tl/parse-schema.ts';
import type { Schema } from '../../../sandbox/tl/schema.ts';

/** Objects nest, some in themselves. Below this depth optional fields are left out and vectors are empty. */
const MAX_DEPTH = 3;

/** Generates objects of a schema, with any constructor of a type, and with or without each optional field. */
export function tlValues(schema: Schema) {
  const byType = new Map<string, SchemaDefinition[]>();
  for (const definition of schema.definitions()) {
    if (definition.kind !== 'constructor' || definition.type.kind !== 'boxed') continue;
    const type = definition.type.abstractType ?? '';
    byType.set(type, [...(byType.get(type) ?? []), definition]);
  }
  const shortest = shortestWays(byType);

  function object(definition: SchemaDefinition, generate: GeneratorValue, depth = 0): TlObject {
    const made: TlObject = { _: definition.name };
    const bits = new Map<string, boolean>();
    for (const { name, type, condition } of definition.fields) {
      if (type.kind === 'flags') continue;
      if (!condition) {
        made[name] = value(type, generate, depth);
        continue;
      }
      const bit = `${condition.flags}.${condition.bit}`;
      const there = bits.get(bit) ?? (depth < MAX_DEPTH && generate(fc.boolean));
      bits.set(bit, there);
      if (type.kind === 'true') made[name] = there;
      else if (there) made[name] = value(type, generate, depth);
    }
    return made;
  }

  function value(type: FieldType, generate: GeneratorValue, depth: number): unknown {
    const bytes = (minLength: number, maxLength: number): Buffer =>
      Buffer.from(generate(fc.uint8Array, { minLength, maxLength }));
    switch (type.kind) {
      case 'int':
        return generate(fc.integer, { min: -(2 ** 31), max: 2 ** 31 - 1 });
      case 'long':
        return generate(fc.bigInt, { min: -(2n ** 63n), max: 2n ** 63n - 1n });
      case 'double':
        return generate(fc.double, { noNaN: true });
      case 'string':
        return generate(fc.string, { unit: 'grapheme', maxLength: 300 });
      case 'bytes':
        return bytes(0, 300);
      case 'int128':
        return bytes(16, 16);
      case 'int256':
        return bytes(32, 32);
      case 'Bool':
        return generate(fc.boolean);
      case 'vector': {
        const length = depth < MAX_DEPTH ? generate(fc.nat, 2) : 0;
        return Array.from({ length }, () => value(type.item, generate, depth + 1));
      }
      case 'bare':
        return object(schema.definition(type.constructor) as SchemaDefinition, generate, depth + 1);
      case 'boxed': {
        const choices = byType.get(type.abstractType ?? 'InputPeer') ?? [];
        const choice =
          depth < MAX_DEPTH ? choices[generate(fc.nat, choices.length - 1)] : shortest.get(type.abstractType ?? '');
        return object(choice as SchemaDefinition, generate, depth + 1);
      }
      default:
        throw new Error(`no values of ${type.kind}`);
    }
  }

  return { object };
}

/** The constructor of each type with the least nesting. */
function shortestWays(byType: ReadonlyMap<string, readonly SchemaDefinition[]>): Map<string, SchemaDefinition> {
  const heights = new Map<string, number>();
  const ways = new Map<string, SchemaDefinition>();
  const heightOf = ({ type, condition }: SchemaField): number =>
    condition || type.kind !== 'boxed' ? 0 : (heights.get(type.abstractType ?? '') ?? Infinity);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [type, definitions] of byType) {
      for (const definition of definitions) {
        const height = 1 + Math.max(0, ...definition.fields.map(heightOf));
        if (height >= (heights.get(type) ?? Infinity)) continue;
        heights.set(type, height);
        ways.set(type, definition);
        changed = true;
      }
    }
  }
  return ways;
}
