/** One field of a constructor or parameter of a method. */
export interface Field {
  name: string;
  type: FieldType;
  /** Set where the field is there only when a bit of a flags field is. */
  condition: { flags: string; bit: number } | undefined;
}

export type FieldType =
  | { kind: 'int' | 'long' | 'double' | 'string' | 'bytes' | 'int128' | 'int256' | 'Bool' | 'true' | 'flags' }
  /** A value that says by its id which constructor it is; `of` is the abstract type, none where any will do. */
  | { kind: 'boxed'; of: string | undefined }
  /** One constructor, its id left out. */
  | { kind: 'bare'; constructor: string }
  | { kind: 'vector'; boxed: boolean; item: FieldType };

/** A constructor (of an abstract type) or a method (with the type of its answer). */
export interface Definition {
  name: string;
  /** Unsigned. */
  id: number;
  kind: 'constructor' | 'method';
  fields: readonly Field[];
  type: FieldType;
}

const scalars: ReadonlySet<string> = new Set('int long double string bytes int128 int256 Bool true'.split(' '));

/** Reads TL source: one definition a line, `---types---` and `---functions---` between; others lines say nothing. */
export function parseSchema(text: string): Definition[] {
  const definitions: Definition[] = [];
  let kind: Definition['kind'] = 'constructor';
  for (const line of text.split('\n')) {
    const section = /^---(\w+)---/.exec(line);
    if (section) kind = section[1] === 'functions' ? 'method' : 'constructor';
    const match = /^([\w.]+)#([0-9a-f]+) (.*)= ([\w.<>]+);/.exec(line);
    // A Bool is a boolean here, not an object.
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

function parseField(text: string): Field {
  const [, name = '', flags, bit, type = ''] = /^(\w+):(?:(\w+)\.(\d+)\?)?(.+)$/.exec(text) ?? [];
  return { name, type: parseType(type), condition: flags ? { flags, bit: Number(bit) } : undefined };
}

function parseType(text: string): FieldType {
  const vector = /^([Vv])ector<(.+)>$/.exec(text);
  if (vector) return { kind: 'vector', boxed: vector[1] === 'V', item: parseType(vector[2] ?? '') };
  if (text === '#') return { kind: 'flags' };
  if (text === 'X' || text === '!X') return { kind: 'boxed', of: undefined };
  if (scalars.has(text)) return { kind: text } as FieldType;
  return /(^|\.)[a-z]\w*$/.test(text) ? { kind: 'bare', constructor: text } : { kind: 'boxed', of: text };
}
