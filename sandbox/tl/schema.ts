import type { TlObject } from '../rpc.ts';
import { type BoxedCodec, boolFalseId, boolTrueId, readerOf, vectorId, writerOf } from './field-codecs.ts';
import { parseSchema, type SchemaDefinition, type SchemaField } from './parse-schema.ts';
import type { TlReader } from './reader.ts';
import { TlError } from './tl-error.ts';
import { TlWriter } from './writer.ts';

/** The codec of one schema: a layer of the API, or MTProto itself. */
export interface Schema {
  /** Undefined if the schema has no such constructor or method. */
  definition(nameOrId: string | number): SchemaDefinition | undefined;
  definitions(): Iterable<SchemaDefinition>;
  /** Reads one boxed value. Throws TlError. */
  read(reader: TlReader): unknown;
  /** As `read`. Throws TlError also if the value is not an object. */
  readObject(reader: TlReader): TlObject;
  /** Reads a wrapper such as `invokeWithLayer` up to the query inside it. Its constructor ID has been read already. */
  readWrapper(reader: TlReader, wrapper: SchemaDefinition): TlObject;
  /** Writes one boxed value. Throws TlError. */
  write(value: unknown): Buffer;
  /** Writes a method's answer, of the type that the method declares. Throws TlError. */
  writeResult(method: string, value: unknown): Buffer;
}

interface Codec {
  definition: SchemaDefinition;
  abstractType: string | undefined;
  read: (reader: TlReader) => TlObject;
  write: (writer: TlWriter, object: TlObject) => void;
}

/** Parses TL source. Codecs are compiled on first use: a client uses few of the 2,000 constructors of a layer. */
export function createSchema(text: string): Schema {
  const definitions = parseSchema(text);
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const codecs = new Map<SchemaDefinition, Codec>();
  const resultWriters = new Map<string, (writer: TlWriter, value: unknown) => void>();
  const writer = new TlWriter();

  const boxed: BoxedCodec = {
    readBoxed(reader) {
      const id = reader.uint();
      if (id === boolTrueId) return true;
      if (id === boolFalseId) return false;
      if (id === vectorId) return Array.from({ length: reader.count() }, () => boxed.readBoxed(reader));
      const definition = byId.get(id);
      if (!definition) throw new TlError(`no constructor has the ID ${id.toString(16).padStart(8, '0')}`);
      return codecOf(definition).read(reader);
    },
    writeBoxed(into, value, type) {
      if (typeof value === 'boolean' && (type === undefined || type === 'Bool')) {
        into.int(value ? boolTrueId : boolFalseId);
      } else if (Array.isArray(value) && type === undefined) {
        into.int(vectorId);
        into.int(value.length);
        for (const item of value) boxed.writeBoxed(into, item, undefined);
      } else {
        const { definition, abstractType, write } = codecOf(named((value as TlObject | undefined)?._, type));
        if (type !== undefined && abstractType !== type) throw new TlError(`${definition.name} is not a ${type}`);
        into.int(definition.id);
        write(into, value as TlObject);
      }
    },
    readBare: (reader, constructor) => codecOf(named(constructor)).read(reader),
    writeBare: (into, value, constructor) => codecOf(named(constructor)).write(into, value as TlObject),
  };

  function named(name: string | undefined, type = 'object'): SchemaDefinition {
    const definition = name === undefined ? undefined : byName.get(name);
    if (!definition) throw new TlError(name === undefined ? `${type} is missing` : `the schema has no ${name}`);
    return definition;
  }

  function codecOf(definition: SchemaDefinition): Codec {
    let codec = codecs.get(definition);
    if (!codec) codecs.set(definition, (codec = compile(definition, boxed)));
    return codec;
  }

  function resultWriter(method: string): (into: TlWriter, value: unknown) => void {
    let write = resultWriters.get(method);
    if (!write) resultWriters.set(method, (write = writerOf(named(method).type, boxed)));
    return write;
  }

  function written(fill: () => void): Buffer {
    writer.reset();
    fill();
    return writer.finish();
  }

  return {
    definition: (nameOrId) => (typeof nameOrId === 'number' ? byId.get(nameOrId) : byName.get(nameOrId)),
    definitions: () => definitions,
    read: (reader) => boxed.readBoxed(reader),
    readObject(reader) {
      const value = boxed.readBoxed(reader);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TlError('expected an object');
      return value as TlObject;
    },
    readWrapper: (reader, wrapper) =>
      readFields(reader, wrapper.name, compileReaders({ ...wrapper, fields: wrapper.fields.slice(0, -1) }, boxed)),
    write: (value) => written(() => boxed.writeBoxed(writer, value, undefined)),
    writeResult: (method, value) => written(() => resultWriter(method)(writer, value)),
  };
}

function compile(definition: SchemaDefinition, boxed: BoxedCodec): Codec {
  const readers = compileReaders(definition, boxed);
  const writers = compileWriters(definition, boxed);
  return {
    definition,
    abstractType: definition.type.kind === 'boxed' ? definition.type.abstractType : undefined,
    read: (reader) => readFields(reader, definition.name, readers),
    write(writer, object) {
      for (const write of writers) write(writer, object);
    },
  };
}

type ReadField = (reader: TlReader, object: TlObject, flags: number[]) => void;

function readFields(reader: TlReader, name: string, readers: readonly ReadField[]): TlObject {
  const object: TlObject = { _: name };
  const flags: number[] = [];
  for (const read of readers) read(reader, object, flags);
  return object;
}

/**
 * The object has no flags fields: a bit of its own becomes a boolean, and a conditional field whose bit is not set is
 * left out.
 */
function compileReaders({ fields }: SchemaDefinition, boxed: BoxedCodec): ReadField[] {
  const flagsNames = fields.filter(({ type }) => type.kind === 'flags').map(({ name }) => name);
  return fields.map(({ name, type, condition }): ReadField => {
    const read = readerOf(type, boxed);
    if (type.kind === 'flags') return (reader, _object, flags) => void flags.push(reader.uint());
    if (!condition) {
      return (reader, object) => {
        object[name] = read(reader);
      };
    }
    const word = flagsNames.indexOf(condition.flags);
    const mask = 1 << condition.bit;
    if (type.kind === 'true') {
      return (_reader, object, flags) => {
        object[name] = ((flags[word] ?? 0) & mask) !== 0;
      };
    }
    return (reader, object, flags) => {
      if (((flags[word] ?? 0) & mask) !== 0) object[name] = read(reader);
    };
  });
}

function compileWriters(
  { name: owner, fields }: SchemaDefinition,
  boxed: BoxedCodec,
): ((w: TlWriter, o: TlObject) => void)[] {
  return fields.flatMap(({ name, type, condition }) => {
    if (type.kind === 'flags') return [flagsWriter(name, fields)];
    if (type.kind === 'true' && condition) return [];
    const write = writerOf(type, boxed);
    const companions = condition ? fields.filter((other) => sharesBit(other, condition)) : [];
    return [
      (writer: TlWriter, object: TlObject) => {
        if (condition && !companions.some((field) => isPresent(field, object))) return;
        try {
          write(writer, object[name] ?? undefined);
        } catch (error) {
          throw new TlError(`${owner}.${name}: ${error instanceof Error ? error.message : String(error)}`);
        }
      },
    ];
  });
}

function flagsWriter(flags: string, fields: SchemaDefinition['fields']): (writer: TlWriter, object: TlObject) => void {
  const bits = fields.flatMap((field) =>
    field.condition?.flags === flags ? [{ field, mask: 1 << field.condition.bit }] : [],
  );
  return (writer, object) => {
    let word = 0;
    for (const { field, mask } of bits) if (isPresent(field, object)) word |= mask;
    writer.int(word);
  };
}

/** Fields with the same bit are present together: if one of them is set, the others are written as zero values. */
function sharesBit({ condition }: SchemaField, { flags, bit }: NonNullable<SchemaField['condition']>): boolean {
  return condition?.flags === flags && condition.bit === bit;
}

function isPresent({ name, type }: SchemaField, object: TlObject): boolean {
  const value: unknown = object[name];
  return type.kind === 'true' ? value === true : value !== undefined && value !== null;
}
