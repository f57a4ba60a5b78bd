import type { TlObject } from '../rpc.ts';
import type { FieldType } from './parse-schema.ts';
import type { TlReader } from './reader.ts';
import { TlError } from './tl-error.ts';
import type { TlWriter } from './writer.ts';

/** The constructor IDs that all schemas share: https://core.telegram.org/mtproto/serialize */
export const boolTrueId = 0x997275b5;
export const boolFalseId = 0xbc799737;
export const vectorId = 0x1cb5c415;

export type ReadValue = (reader: TlReader) => unknown;
export type WriteValue = (writer: TlWriter, value: unknown) => void;

/** What the codec of a field needs of its schema. */
export interface BoxedCodec {
  readBoxed(reader: TlReader): unknown;
  /** Throws TlError if the value is not of the abstract type. */
  writeBoxed(writer: TlWriter, value: unknown, type: string | undefined): void;
  readBare(reader: TlReader, constructor: string): TlObject;
  writeBare(writer: TlWriter, value: unknown, constructor: string): void;
}

/** The reader of a field. */
export function readerOf(type: FieldType, schema: BoxedCodec): ReadValue {
  switch (type.kind) {
    case 'int':
      return (reader) => reader.int();
    case 'flags':
      return (reader) => reader.uint();
    case 'long':
      return (reader) => reader.long();
    case 'double':
      return (reader) => reader.double();
    case 'string':
      return (reader) => reader.string();
    case 'bytes':
      return (reader) => reader.bytes();
    case 'int128':
      return (reader) => reader.raw(16);
    case 'int256':
      return (reader) => reader.raw(32);
    case 'Bool':
      return readBool;
    case 'true':
      return () => true;
    case 'bare':
      return (reader) => schema.readBare(reader, type.constructor);
    case 'boxed':
      return (reader) => schema.readBoxed(reader);
    case 'vector': {
      const readItem = readerOf(type.item, schema);
      return (reader) => {
        if (type.boxed && reader.uint() !== vectorId) throw new TlError('expected a vector');
        return Array.from({ length: reader.count() }, () => readItem(reader));
      };
    }
  }
}

function readBool(reader: TlReader): boolean {
  const id = reader.uint();
  if (id !== boolTrueId && id !== boolFalseId) throw new TlError('expected a Bool');
  return id === boolTrueId;
}

/** The writer of a field. It writes `undefined` as a zero value if the type has one. */
export function writerOf(type: FieldType, schema: BoxedCodec): WriteValue {
  switch (type.kind) {
    case 'int':
    case 'flags':
      return (writer, value) => writer.int(Number(value ?? 0));
    case 'long':
      return (writer, value) => writer.long(BigInt((value ?? 0) as bigint | number));
    case 'double':
      return (writer, value) => writer.double(Number(value ?? 0));
    case 'string':
    case 'bytes':
      return (writer, value) => {
        if (value instanceof Uint8Array) writer.bytes(value);
        else if (typeof value === 'string') writer.string(value);
        else if (value === undefined) writer.string('');
        else throw new TlError(`expected a string or bytes, not a ${typeof value}`);
      };
    case 'int128':
      return (writer, value) => writer.raw(exactly(value, 16));
    case 'int256':
      return (writer, value) => writer.raw(exactly(value, 32));
    case 'Bool':
      return (writer, value) => writer.int(value ? boolTrueId : boolFalseId);
    case 'true':
      return () => {};
    case 'bare':
      return (writer, value) => schema.writeBare(writer, value, type.constructor);
    case 'boxed':
      return (writer, value) => schema.writeBoxed(writer, value, type.abstractType);
    case 'vector': {
      const writeItem = writerOf(type.item, schema);
      return (writer, value) => {
        const items = value ?? [];
        if (!Array.isArray(items)) throw new TlError('expected an array');
        if (type.boxed) writer.int(vectorId);
        writer.int(items.length);
        for (const item of items) writeItem(writer, item);
      };
    }
  }
}

function exactly(value: unknown, length: number): Uint8Array {
  if (value instanceof Uint8Array && value.length === length) return value;
  throw new TlError(`expected ${length} bytes`);
}
