import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaOfLayer } from '../../../../../sandbox/tl/layers.ts';
import { TlReader } from '../../../../../sandbox/tl/reader.ts';
import { readParams } from '../../../../../src/telegram/gramjs/raw/read-params.ts';
import { isPassword } from '../../../../../src/telegram/gramjs/raw/refused-methods.ts';
import { methodNames, methodOf } from '../../../../../src/telegram/gramjs/raw/schema.ts';
import { tlValues } from '../../../../support/sandbox/tl-values.ts';

/** Every method of the layer, with any parameters, against the sandbox's codec, which reads its own copy of the schema. */

const schema = schemaOfLayer(198);
const values = tlValues(schema);

/** The form in which callers write what the sandbox's codec has: longs as texts, bytes as base64. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, asJson(held)]));
}

const noPeer = { peerOf: () => Promise.resolve(undefined), randomId: () => 0n };

describe('readParams', () => {
  it('[RM1.1] writes every method of the layer as the schema has it', async () => {
    const names = methodNames();
    for (const name of names) {
      const definition = methodOf(name);
      const published = schema.definition(name);
      // What wraps another method, or takes a password, is refused.
      if (definition === undefined || published === undefined) throw new Error(`no ${name}`);
      if (definition.fields.some((field) => field.type === 'X' || isPassword(field))) continue;
      await fc.assert(
        fc.asyncProperty(fc.gen(), async (generate) => {
          const value = values.object(published, generate);
          const request = (await readParams(definition, asJson(value), noPeer)) as { getBytes: () => Buffer };
          expect(schema.read(new TlReader(request.getBytes()))).toEqual(value);
        }),
        { numRuns: 2, seed: 1 },
      );
    }
  });
});
