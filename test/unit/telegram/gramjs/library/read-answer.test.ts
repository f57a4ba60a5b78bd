import bigInt from 'big-integer';
import fc from 'fast-check';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import schemaText from 'telegram/tl/apiTl.js';
import { parseTl } from 'telegram/tl/generationHelpers.js';
import { Api, serializeBytes } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../../../src/telegram/gramjs/library/answers/read-answer.ts';

interface Described {
  constructorId: number;
  isFunction: boolean;
  result: string;
  argsConfig: Record<
    string,
    { type: string; flagIndicator: boolean; isFlag: boolean; flagName: string; flagIndex: number; isVector: boolean }
  >;
}

const vector = int(0x1cb5c415);
const all = [...(parseTl(schemaText, '198') as Iterable<Described>)].filter(({ isFunction }) => !isFunction);
const byType = new Map<string, Described[]>();
for (const one of all) byType.set(one.result, [...(byType.get(one.result) ?? []), one]);

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

/** What Telegram could send as such an object: `next` gives numbers from 0 to below its argument. */
function written(one: Described, next: (below: number) => number, depth: number): Buffer {
  const parts = [int(one.constructorId)];
  const flags = new Map<string, number>();
  for (const [name, config] of Object.entries(one.argsConfig)) {
    if (config.flagIndicator) {
      // Deep down nothing that could be left out is there, or it would never end.
      flags.set(name, depth > 3 ? 0 : next(2 ** 32));
      parts.push(int(flags.get(name) ?? 0));
      continue;
    }
    const isThere = !config.isFlag || ((flags.get(config.flagName) ?? 0) & (1 << config.flagIndex)) !== 0;
    if (!isThere) continue;
    const count = config.isVector ? (depth > 3 ? 0 : next(3)) : 1;
    if (config.isVector) parts.push(vector, int(count));
    for (let item = 0; item < count; item++) parts.push(fieldValue(name, config.type, next, depth));
  }
  return Buffer.concat(parts);
}

function fieldValue(name: string, type: string, next: (below: number) => number, depth: number): Buffer {
  switch (type) {
    case 'true':
      return Buffer.alloc(0);
    case 'int':
      // Messages without a number are none to GramJS.
      return int(1 + next(2 ** 32 - 1));
    case 'long':
      // GramJS makes something else of the IDs of peers that cannot be.
      if (name.endsWith('Id')) return Buffer.concat([int(1 + next(2 ** 31)), int(next(200))]);
      return Buffer.concat([int(1 + next(2 ** 31)), int(next(2 ** 32))]);
    case 'double':
      return Buffer.concat([int(1 + next(2 ** 31)), int(next(2 ** 32))]);
    case 'Bool':
      return int(next(2) === 0 ? 0x997275b5 : 0xbc799737);
    case 'string':
    case 'bytes':
      return serializeBytes(Buffer.alloc([0, 1, 3, 253, 254, 300][next(6)] ?? 0, 0x61 + next(26)));
    default: {
      const choices = byType.get(type) ?? [];
      const fewest = choices.toSorted((a, b) => needs(a) - needs(b));
      const chosen = depth > 3 ? fewest[0] : choices[next(choices.length)];
      if (chosen === undefined) throw new Error(`nothing is a ${type}`);
      return written(chosen, next, depth + 1);
    }
  }
}

/** How many objects an object cannot be without. */
const needs = ({ argsConfig }: Described): number =>
  Object.values(argsConfig).filter(({ type, isFlag, isVector }) => !isFlag && !isVector && /^[A-Z]/.test(type)).length;

/** An object's class and fields, GramJS's own bookkeeping left out. */
function plain(object: unknown): unknown {
  if (Array.isArray(object)) return object.map(plain);
  if (bigInt.isInstance(object)) return `long ${object.toString()}`;
  if (Buffer.isBuffer(object)) return `bytes ${object.toString('hex')}`;
  const { className, originalArgs } = Object(object) as { className?: string; originalArgs?: object };
  if (className === undefined) return object;
  const ours = Object.keys(Object(object) as object).filter((key) => !bookkeeping.has(key));
  const fields = originalArgs === undefined ? ours : Object.keys(originalArgs);
  const values = object as Record<string, unknown>;
  return {
    prototype: Object.getPrototypeOf(object) as unknown,
    named: [className, values['CONSTRUCTOR_ID'], values['SUBCLASS_OF_ID'], values['classType']],
    fields: fields.map((field) => [field, plain(values[field])]),
  };
}
const bookkeeping = new Set(['className', 'classType', 'CONSTRUCTOR_ID', 'SUBCLASS_OF_ID']);

const noVector = (): never => {
  throw new Error('no bare list was sent');
};
const theirs = (bytes: Buffer): unknown => new BinaryReader(bytes).tgReadObject();

describe('reading answers', () => {
  it('[speed-up] every object of the schema is read as GramJS reads it', () => {
    expect(all.length).toBeGreaterThan(1_000);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(2 ** 32 - 1)), (numbers) => {
        const next = (below: number): number => Math.floor(((numbers.next().value ?? 0) / 2 ** 32) * below);
        for (const one of all) {
          const bytes = written(one, next, 0);
          expect(plain(readAnswer(bytes, noVector))).toEqual(plain(theirs(bytes)));
        }
      }),
      { numRuns: 3 },
    );
  });

  const user = new Api.InputUser({ userId: bigInt(1001), accessHash: bigInt('-8000000000000000001') });

  it('[speed-up] what was read can be sent, and is of its class', () => {
    const read = readAnswer(user.getBytes(), noVector) as Api.InputUser;
    expect(read).toBeInstanceOf(Api.InputUser);
    expect(read.getBytes().equals(user.getBytes())).toBe(true);
  });

  it('[speed-up] an answer that ends too early, or is of no class, fails', () => {
    const document = written(all.find(({ result }) => result === 'Document') as Described, () => 0, 0);
    const file = new Api.upload.File({
      type: new Api.storage.FileJpeg(),
      mtime: 1,
      bytes: Buffer.alloc(300),
    }).getBytes();
    for (const bytes of [document, file, user.getBytes()]) {
      for (const end of [4, bytes.length - 4]) {
        expect(() => readAnswer(bytes.subarray(0, end), noVector)).toThrow(/range|outside|fewer/);
      }
    }
    const unknownInside = Buffer.concat([file.subarray(0, 4), int(0xdeadbeef), file.subarray(8)]);
    expect(() => readAnswer(unknownInside, noVector)).toThrow('Could not find a matching Constructor');
  });

  it('[speed-up] a bare list is read by who knows what is in it', () => {
    const numbers = Buffer.concat([vector, int(2), int(7), int(8)]);
    const read = readAnswer(numbers, (reader) => {
      reader.readInt();
      return Array.from({ length: reader.readInt() }, () => reader.readInt());
    });
    expect(read).toEqual([7, 8]);
  });
});
