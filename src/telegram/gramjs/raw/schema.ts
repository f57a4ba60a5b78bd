import schemaText from 'telegram/tl/apiTl.js';
import { fromLine } from 'telegram/tl/generationHelpers.js';
import { Api } from 'telegram/tl/index.js';

/** A field of a constructor, or a parameter of a method. */
export interface Field {
  /** As published: `first_name`. */
  name: string;
  /** As GramJS has it: `firstName`. */
  property: string;
  /** `int`, `Bool`, `InputPeer`; of a vector, the type of its items. */
  type: string;
  isVector: boolean;
  /** `flags.3`: the bit that says whether the field is there; undefined if it always is. Fields may share a bit. */
  bit?: string;
}

/** A constructor or a method of the published schema. */
export interface Definition {
  /** As published: `inputPeerUser`, `messages.sendMessage`. */
  name: string;
  fields: readonly Field[];
  /** Makes GramJS's object from its properties. */
  create: new (
    properties: Record<string, unknown>,
  ) => object;
}

/** GramJS's description of a field. */
interface FieldConfig {
  type: string;
  flagIndicator: boolean;
  isFlag: boolean;
  flagName: string;
  flagIndex: number;
  isVector: boolean;
}

interface Line {
  text: string;
  definition?: Definition;
}

interface Schema {
  methods: ReadonlyMap<string, Line>;
  constructors: ReadonlyMap<string, Line>;
  /** Constructors by the boxed type that they are of. */
  types: ReadonlyMap<string, readonly string[]>;
  /** Constructors by their number. */
  numbers: ReadonlyMap<number, string>;
}

let read: Schema | undefined;

/** The layer that GramJS speaks, from its own copy of the schema. It is read with the first call. */
function schema(): Schema {
  read ??= readSchema();
  return read;
}

export function methodOf(name: string): Definition | undefined {
  return definitionOf(schema().methods.get(name));
}

export function constructorOf(name: string): Definition | undefined {
  return definitionOf(schema().constructors.get(name));
}

/** @param number as GramJS's objects have it in `CONSTRUCTOR_ID` */
export function constructorNumbered(number: number): Definition | undefined {
  const name = schema().numbers.get(number);
  return name === undefined ? undefined : constructorOf(name);
}

/** The names of the constructors of a boxed type; none for a type that the schema does not have. */
export function constructorsOf(type: string): readonly string[] {
  return schema().types.get(type) ?? [];
}

export function methodNames(): string[] {
  return [...schema().methods.keys()];
}

function readSchema(): Schema {
  const [objects = '', functions = ''] = schemaText.split('---functions---');
  const constructors = new Map<string, Line>();
  const types = new Map<string, string[]>();
  const numbers = new Map<number, string>();
  for (const { name, number, type, text } of linesOf(objects)) {
    constructors.set(name, { text });
    numbers.set(Number.parseInt(number, 16), name);
    types.set(type, [...(types.get(type) ?? []), name]);
  }
  const methods = new Map(Array.from(linesOf(functions), ({ name, text }) => [name, { text }]));
  return { methods, constructors, types, numbers };
}

function* linesOf(part: string): Generator<{ name: string; number: string; type: string; text: string }> {
  for (const line of part.split('\n')) {
    const text = line.trim();
    const [, name, number, type] = /^([\w.]+)#([\da-f]+) .*= ([\w.<>]+);$/.exec(text) ?? [];
    if (name !== undefined && number !== undefined && type !== undefined) yield { name, number, type, text };
  }
}

function definitionOf(line: Line | undefined): Definition | undefined {
  if (line === undefined) return undefined;
  line.definition ??= readLine(line.text);
  return line.definition;
}

function readLine(text: string): Definition | undefined {
  const { argsConfig, name, namespace } = fromLine(text, false) as {
    argsConfig: Record<string, FieldConfig>;
    name: string;
    namespace: string | undefined;
  };
  const create = classOf(namespace, name);
  if (create === undefined) return undefined;
  // GramJS renames the fields; their order is the same.
  const names = Array.from(text.matchAll(/ (\w+):/g), ([, field = '']) => field);
  const fields = Object.entries(argsConfig).flatMap(([property, config], place): Field[] => {
    if (config.flagIndicator) return [];
    const { type, isVector, isFlag, flagName, flagIndex } = config;
    return [
      { name: names[place] ?? property, property, type, isVector, ...(isFlag && { bit: `${flagName}.${flagIndex}` }) },
    ];
  });
  return { name: text.slice(0, text.indexOf('#')), fields, create };
}

function classOf(namespace: string | undefined, name: string): Definition['create'] | undefined {
  const classes = Api as unknown as Record<string, unknown>;
  const holder = namespace === undefined ? classes : (classes[namespace] as Record<string, unknown> | undefined);
  return holder?.[name] as Definition['create'] | undefined;
}
