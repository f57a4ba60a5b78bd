/** A field of a constructor, or a parameter of a method. */
export interface SchemaField {
  name: string;
  type: FieldType;
  /** The bit of a flags field that says whether the field is present; undefined if it always is. */
  condition: { flags: string; bit: number } | undefined;
}

export type FieldType =
  | { kind: 'int' | 'long' | 'double' | 'string' | 'bytes' | 'int128' | 'int256' | 'Bool' | 'true' | 'flags' }
  /** A value that begins with its constructor's ID. Without an `abstractType` any type is allowed. */
  | { kind: 'boxed'; abstractType: string | undefined }
  /** A value of one known constructor, without its ID. */
  | { kind: 'bare'; constructor: string }
  | { kind: 'vector'; boxed: boolean; item: FieldType };

/** A constructor or a method. `type` is a constructor's abstract type or the type of a method's answer. */
export interface SchemaDefinition {
  name: string;
  /** Unsigned. */
  id: number;
  kind: 'constructor' | 'method';
  fields: readonly SchemaField[];
  type: FieldType;
}

const scalars: ReadonlySet<string> = new Set('int long double string bytes int128 int256 Bool true'.split(' '));

/**
 * Parses TL source: one definition a line, in sections that begin with `---types---` and `---functions---`. Other lines
 * are ignored.
 */
export function parseSchema(text: string): SchemaDefinition[] {
  const definitions: SchemaDefinition[] = [];
  let kind: SchemaDefinition['kind'] = 'constructor';
  for (const line of text.split('\n')) {
    const section = /^---(\w+)---/.exec(line);
    if (section) kind = section[1] === 'functions' ? 'method' : 'constructor';
    const match = /^([\w.]+)#([0-9a-f]+) (.*)= ([\w.<>]+);/.exec(line);
    // Values of type Bool become booleans, not objects: their constructors are not needed.
    if (!match || (kind === 'constructor' && match[4] === 'Bool')) continue;
    const [, name = '', id = '', fields = '', type = ''] = match;
    definitions.push({
      name,
      id: Number.parseInt(id, 16),
      kind,
      fields: fields
        .split(' ')
        .filter((field) => /^\w+:/.test(field))
        .map(parseField),
      type: parseType(type),
    });
  }
  return definitions;
}

function parseField(text: string): SchemaField {
  const [, name = '', flags, bit, type = ''] = /^(\w+):(?:(\w+)\.(\d+)\?)?(.+)$/.exec(text) ?? [];
  return { name, type: parseType(type), condition: flags ? { flags, bit: Number(bit) } : undefined };
}

function parseType(text: string): FieldType {
  const vector = /^([Vv])ector<(.+)>$/.exec(text);
  if (vector) return { kind: 'vector', boxed: vector[1] === 'V', item: parseType(vector[2] ?? '') };
  if (text === '#') return { kind: 'flags' };
  if (text === 'X' || text === '!X') return { kind: 'boxed', abstractType: undefined };
  if (scalars.has(text)) return { kind: text } as FieldType;
  return /(^|\.)[a-z]\w*$/.test(text) ? { kind: 'bare', constructor: text } : { kind: 'boxed', abstractType: text };
}
