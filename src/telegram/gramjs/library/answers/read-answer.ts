import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { tlobjects } from 'telegram/tl/AllTLObjects.js';
import schemaText from 'telegram/tl/apiTl.js';
import { fromLine } from 'telegram/tl/generationHelpers.js';
import { AnswerBytes } from './answer-bytes.ts';

/** A class of GramJS. */
interface ObjectClass {
  readonly prototype: object;
  readonly SUBCLASS_OF_ID: number;
  readonly className: string;
  fromReader(reader: BinaryReader): unknown;
}
/** GramJS's description of a field; for a vector `type` is that of its items. */
interface FieldConfig {
  type: string;
  flagIndicator: boolean;
  isFlag: boolean;
  flagName: string;
  flagIndex: number;
  isVector: boolean;
  useVectorId: boolean | null;
}

type Read = (from: AnswerBytes) => unknown;
interface Field {
  name: string;
  read: Read;
  /** The field exists if this bit of another field is set. */
  flag?: { name: string; bit: number };
}

const vectorId = 0x1cb5c415;
const trueId = 0x997275b5;
const falseId = 0xbc799737;
const classes = tlobjects as Readonly<Record<number, ObjectClass | undefined>>;

/**
 * Decodes Telegram's answer to a request into the same objects as GramJS. GramJS reads the description of every class
 * twice for every object; this takes a fifth of the time for a page of history. What it does not know it leaves to
 * GramJS. The objects have no `originalArgs`, and messages none of the extras that need GramJS's client.
 * @param readList reads an answer that is a bare list, whose item type only the request knows
 */
export function readAnswer(bytes: Buffer, readList: (reader: BinaryReader) => unknown): unknown {
  const from = new AnswerBytes(bytes);
  if (from.constructorId() === vectorId) return readList(new BinaryReader(bytes));
  from.offset = 0;
  return readObject(from);
}

const readers = new Map<number, Read>();

function readObject(from: AnswerBytes): unknown {
  const id = from.constructorId();
  const known = readers.get(id);
  if (known !== undefined) return known(from);
  const read = readerOf(id);
  readers.set(id, read);
  return read(from);
}

function readerOf(id: number): Read {
  if (id === trueId) return () => true;
  if (id === falseId) return () => false;
  const made = classes[id];
  const line = lines().get(id);
  const fields = line === undefined ? undefined : fieldsOf(line);
  return made === undefined || fields === undefined ? readByGramJs : readFields(id, made, fields);
}

function readFields(id: number, { prototype, SUBCLASS_OF_ID, className }: ObjectClass, fields: readonly Field[]): Read {
  // A constructor for each class, so that V8 knows the shape of its objects.
  const Answer = function Answer(): void {} as unknown as new () => Record<string, unknown>;
  Answer.prototype = prototype;
  return (from) => {
    const object = new Answer();
    object['CONSTRUCTOR_ID'] = id;
    object['SUBCLASS_OF_ID'] = SUBCLASS_OF_ID;
    object['className'] = className;
    object['classType'] = 'constructor';
    for (const { name, read, flag } of fields) {
      const isThere = flag === undefined || ((object[flag.name] as number) & flag.bit) !== 0;
      object[name] = isThere ? read(from) : read === readTrue ? false : null;
    }
    return object;
  };
}

/** Undefined if a field has a type that no answer of Telegram has so far. */
function fieldsOf(line: string): Field[] | undefined {
  const { argsConfig } = fromLine(line, false) as { argsConfig: Record<string, FieldConfig> };
  const fields: Field[] = [];
  for (const [name, config] of Object.entries(argsConfig)) {
    const read = fieldReader(config);
    if (read === undefined) return undefined;
    const { isFlag, flagName, flagIndex } = config;
    fields.push({ name, read, ...(isFlag && { flag: { name: flagName, bit: 1 << flagIndex } }) });
  }
  return fields;
}

const readTrue: Read = () => true;
const simple: Readonly<Record<string, Read>> = {
  int: (from) => from.int(),
  long: (from) => from.long(),
  double: (from) => from.double(),
  string: (from) => from.text(),
  bytes: (from) => from.slice(),
  true: readTrue,
};

function fieldReader({ type, flagIndicator, isVector, useVectorId }: FieldConfig): Read | undefined {
  if (flagIndicator) return simple['int'];
  const isBoxed = /(?:^|\.)[A-Z]\w*$/.test(type);
  const read = simple[type] ?? (isBoxed ? readObject : undefined);
  if (!isVector || read === undefined) return read;
  return useVectorId === true ? (from) => readVector(from, read) : undefined;
}

function readVector(from: AnswerBytes, readItem: Read): unknown[] {
  const id = from.constructorId();
  if (id !== vectorId) throw new TypeError(`${id} is no vector`);
  const count = from.int();
  const items: unknown[] = [];
  for (let place = 0; place < count; place++) items.push(readItem(from));
  return items;
}

function readByGramJs(from: AnswerBytes): unknown {
  const reader = new BinaryReader(from.bytes);
  // The constructor ID was read already.
  reader.setPosition(from.offset - 4);
  const object: unknown = reader.tgReadObject();
  from.offset = reader.tellPosition();
  return object;
}

let linesById: Map<number, string> | undefined;

/** The schema line of each constructor, by its ID. */
function lines(): ReadonlyMap<number, string> {
  if (linesById !== undefined) return linesById;
  linesById = new Map();
  const [objects = ''] = schemaText.split('---functions---');
  for (const line of objects.split('\n')) {
    const id = /^[\w.]+#([\da-f]+) /.exec(line)?.[1];
    if (id !== undefined) linesById.set(Number.parseInt(id, 16), line.trim());
  }
  return linesById;
}
