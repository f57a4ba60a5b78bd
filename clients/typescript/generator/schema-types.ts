/** The part of JSON Schema that the API document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

/** The schema `Error` is the body of an error; `Error` itself is JavaScript's. */
const renamed: Readonly<Record<string, string>> = { Error: 'ErrorBody' };

/** The name of the type of a schema under `components/schemas`. */
export function typeName(schemaName: string): string {
  return renamed[schemaName] ?? schemaName;
}

/** The type that a schema describes, as TypeScript. */
export function typeOf(schema: Schema, indent = ''): string {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return typeName($ref.replace(/^.*\//, ''));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = anyOf ?? oneOf;
  if (union) return union.map((one) => typeOf(one, indent)).join(' | ');
  if (allOf)
    return [...allOf, ...(schema.properties ? [{ ...schema, allOf: undefined }] : [])]
      .map((one) => part(one, indent))
      .join(' & ');
  if (schema.type === 'array') return listOf(typeOf(schema.items ?? {}, indent));
  if (schema.type === 'object') return objectOf(schema, indent);
  return (
    { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[schema.type ?? ''] ??
    'unknown'
  );
}

/** A union in an intersection needs brackets. */
function part(schema: Schema, indent: string): string {
  const type = typeOf(schema, indent);
  return schema.anyOf || schema.oneOf ? `(${type})` : type;
}

const listOf = (item: string): string => (/^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`);

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const names = Object.keys(properties);
  if (names.length === 0) {
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'}>`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, property]) =>
      `${comment([property.description], inner)}${inner}${/^\w+$/.test(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}: ${typeOf(property, inner)};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

/** A comment for editors; nothing if there is nothing to say. */
export function comment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const said = paragraphs.filter((paragraph) => paragraph !== undefined && paragraph !== '');
  if (said.length === 0) return '';
  const lines = said.join('\n\n').replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** A declaration under a name: an interface for an object, which editors show by its name. */
export function declare(name: string, schema: Schema): string {
  const type = typeOf(schema);
  const head =
    type.startsWith('{') && type.indexOf('\n}') === type.length - 2
      ? `interface ${name} ${type}`
      : `type ${name} = ${type};`;
  return `${comment([schema.description])}export ${head}\n`;
}
