import type { FastifySchemaCompiler } from 'fastify';
import {
  IsArray,
  IsBoolean,
  IsEnum,
  IsInteger,
  IsNumber,
  IsObject,
  IsOptional,
  IsRecord,
  IsString,
  IsUnion,
  type TSchema,
} from 'typebox';
import { GatewayError } from '../../errors/gateway-error.ts';
import { readProxyUrl } from '../../telegram/port/proxy-url.ts';
import type { Keywords } from './keywords.ts';

/** The messages of ER2, derived from an endpoint's schema. Its properties are in the order of the interface. */

/** `query` values are texts, and a missing one gets both lines of ER2. */
export type Part = 'body' | 'query' | 'headers';
type Fields = Record<string, unknown>;
/** The supported keywords of JSON Schema. */
interface StandardKeywords {
  enum?: readonly unknown[];
  pattern?: string;
  maxLength?: number;
  maxProperties?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}
type KnownSchema = TSchema & Keywords & StandardKeywords;

/** A body of 256 KB has room for thousands of failures, and an error has to stay readable. */
const maxLines = 20;

const partNames: Readonly<Record<string, Part>> = { querystring: 'query', headers: 'headers' };

/** All failures, one a line, in the order of the schema; none for a valid value. */
export function failuresOf(schema: TSchema, value: unknown, part: Part): string[] {
  return isFields(value) ? objectFailures(schema, value, part, '') : [`${part} must be an object`];
}

/** For Fastify: refuses with 400 and all failures. Passes on the value with every null treated as a missing field. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? ''] ?? 'body';
  return (value: unknown) => {
    const given = part === 'body' ? withNullsOf(schema, value) : withLists(schema, value);
    const failures = failuresOf(schema, given, part);
    if (failures.length === 0) return { value: given };
    return { error: new GatewayError(400, failures.slice(0, maxLines).join('\n')) };
  };
};

function objectFailures(schema: KnownSchema, fields: Fields, part: Part, path: string): string[] {
  const properties = IsObject(schema) ? schema.properties : {};
  const { bothOrNeither, exactlyOne } = schema;
  const failures =
    bothOrNeither === undefined ? [] : pairFailures(Object.keys(properties).slice(0, 2), bothOrNeither, fields, path);
  if (exactlyOne !== undefined) failures.push(...choiceFailures(exactlyOne, fields, path));
  for (const name in properties) {
    const property = properties[name];
    const found = property === undefined ? none : propertyFailures(property, fields, part, path, name);
    if (found.length > 0) failures.push(...found);
  }
  return failures;
}

function pairFailures(names: string[], bothOrNeither: string, fields: Fields, path: string): string[] {
  const values = names.map((name) => fields[name]);
  if (values.every(isEmpty) || !values.some(isEmpty)) return [];
  return [`${names.map((name) => path + name).join(' and ')} must be both filled, or both empty ${bothOrNeither}`];
}

/** If none is filled, the first one is missing. */
function choiceFailures(names: readonly string[], fields: Fields, path: string): string[] {
  const filled = names.filter((name) => !isEmpty(fields[name]));
  if (filled.length === 0) return [`${path}${names[0]} should not be empty`];
  return filled.length === 1 ? [] : [`${path.slice(0, -1) || 'body'} must have only one of ${names.join(', ')}`];
}

function propertyFailures(
  schema: KnownSchema,
  fields: Fields,
  part: Part,
  path: string,
  name: string,
): readonly string[] {
  const value = fields[name];
  const needed = schema.neededFor?.includes(fields['type']) ?? !IsOptional(schema);
  if (value === '' && schema.emptyCounts) return none;
  if (value === null && schema.nullCounts) return none;
  // Most fields are optional and missing.
  if (!needed && (value === undefined || (schema.neededFor !== undefined && IsObject(schema)))) return none;
  const label = path + name;
  if (!isEmpty(value) && !(needed && isBlank(schema, value))) return valueFailures(schema, value, part, label);
  // Only for a text, empty counts as missing.
  if (!needed) return value === '' && (IsObject(schema) || IsRecord(schema)) ? [`${label} must be an object`] : [];
  if (schema.positive === true) return [`${label} must be a positive number`];
  const empty = `${label} should not be empty`;
  return part === 'query' && value === undefined ? [`${label} must be a string`, empty] : [empty];
}

function valueFailures(schema: KnownSchema, value: unknown, part: Part, label: string): string[] {
  if (IsString(schema)) {
    return typeof value === 'string' ? stringFailures(schema, value, label) : [`${label} must be a string`];
  }
  if (IsEnum(schema)) {
    return schema.enum.some((known) => known === value)
      ? []
      : [`${label} must be one of the following values: ${schema.enum.join(', ')}`];
  }
  if (IsBoolean(schema)) return typeof value === 'boolean' ? [] : [`${label} must be a boolean`];
  if (IsNumber(schema) || IsInteger(schema)) return numberFailures(schema, value, label);
  if (IsArray(schema)) return listFailures(schema, value, part, label);
  if (IsUnion(schema)) {
    // Of a word and a list.
    const list = schema.anyOf.find(IsArray);
    const word = schema.anyOf.find((one) => !IsArray(one));
    const chosen = Array.isArray(value) ? list : word;
    if (chosen !== undefined) return valueFailures(chosen, value, part, label);
  }
  if (IsObject(schema) || IsRecord(schema)) {
    if (!isFields(value)) return [`${label} must be an object`];
    return IsObject(schema) ? objectFailures(schema, value, part, `${label}.`) : mapFailures(schema, value, label);
  }
  throw new TypeError(`a schema of a kind that is not known here: ${label}`);
}

function listFailures(schema: KnownSchema, list: unknown, part: Part, label: string): string[] {
  if (!Array.isArray(list)) return [`${label} must be an array`];
  const { minItems = 0, maxItems = Infinity } = schema;
  if (list.length === 0 && minItems > 0) return [`${label} should not be empty`];
  // Before any entry is named in an error.
  if (list.length < minItems || list.length > maxItems) {
    return [`${label} must have between ${minItems} and ${maxItems} entries`];
  }
  const { items } = schema as { items?: KnownSchema };
  if (items === undefined) return [];
  return list.flatMap((entry: unknown, place) => {
    const name = `${label}.${place}`;
    if (isEmpty(entry) || isBlank(items, entry)) return [`${name} should not be empty`];
    return valueFailures(items, entry, part, name);
  });
}

function mapFailures(schema: KnownSchema, fields: Fields, label: string): string[] {
  const { maxProperties = Infinity, maxBytes = Infinity } = schema;
  // Before any name is repeated in an error.
  if (sizeOf(fields) > maxBytes) return [`${label} must be smaller than or equal to ${maxBytes} bytes`];
  const names = Object.keys(fields);
  // Nor any of thousands.
  if (names.length > maxProperties) return [`${label} must have at most ${maxProperties} entries`];
  return names.filter((name) => typeof fields[name] !== 'string').map((name) => `${label}.${name} must be a string`);
}

/** JSON allows 1e999, which is no usable number. */
function numberFailures(schema: KnownSchema, value: unknown, label: string): string[] {
  const { positive, zeroIsEmpty, minimum = -Infinity, maximum = Infinity } = schema;
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (positive && !(isNumber && value > 0)) return [`${label} must be a positive number`];
  if (!isNumber) return [`${label} must be a number`];
  if (zeroIsEmpty && value === 0) return [`${label} should not be empty`];
  if (IsInteger(schema) && !Number.isSafeInteger(value)) return [`${label} must be an integer`];
  return value < minimum || value > maximum ? [`${label} must be between ${minimum} and ${maximum}`] : [];
}

function stringFailures(
  { httpUrl, proxyUrl, pattern, is, base64Bytes, greatest = Infinity, maxLength = Infinity }: KnownSchema,
  value: string,
  label: string,
): string[] {
  if (value.length > maxLength) return [`${label} must be shorter than or equal to ${maxLength} characters`];
  if (base64Bytes !== undefined) return base64Failures(value, base64Bytes, label);
  if (httpUrl === true && !isHttpUrl(value)) return [`${label} must be an http or https url`];
  if (proxyUrl === true && readProxyUrl(value) === undefined) return [`${label} must be the url of a proxy`];
  if (pattern === undefined) return [];
  if (!new RegExp(pattern, 'u').test(value) || Number(value) > greatest) return [`${label} must be ${is}`];
  return [];
}

/** Buffer.from skips what is no base64. */
function base64Failures(value: string, maxBytes: number, label: string): string[] {
  if (value.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(value)) return [`${label} must be base64`];
  if (Buffer.byteLength(value, 'base64') <= maxBytes) return [];
  return [`${label} must be smaller than or equal to ${maxBytes} bytes`];
}

const none: readonly string[] = [];
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
const isBlank = ({ blankIsEmpty }: KnownSchema, value: unknown): boolean =>
  blankIsEmpty === true && typeof value === 'string' && value.trim() === '';
/** Bytes of the names, and of the values that are texts. */
const sizeOf = (fields: Fields): number =>
  Object.entries(fields).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Deeper than the fields of any request: the rest is left to its own field, or ignored. */
const maxDepth = 3;

const mayHoldNull = (field: unknown): boolean => field === null || isFields(field);

/** In a JSON body null means the same as a missing field; no body means the same as an empty one. */
function withoutNulls(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return {};
  if (!isFields(value) || depth === maxDepth || !Object.values(value).some(mayHoldNull)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(
    kept.map(([name, field]) => [name, isFields(field) ? withoutNulls(field, depth + 1) : field]),
  );
}

const mayBeList = (schema: TSchema, value: unknown): boolean =>
  IsArray(schema) || (IsUnion(schema) && schema.anyOf.some(IsArray) && !/^[a-z]+$/.test(String(value)));

/** {@link withoutNulls}, but with the nulls that count. */
function withNullsOf(schema: TSchema, value: unknown): unknown {
  const given = withoutNulls(value);
  if (!IsObject(schema) || !isFields(value) || !isFields(given)) return given;
  const counting = Object.entries(schema.properties).filter(
    ([name, property]) => (property as KnownSchema).nullCounts === true && value[name] === null,
  );
  return counting.length === 0 ? given : { ...given, ...Object.fromEntries(counting.map(([name]) => [name, null])) };
}

/** Headers and queries are texts: a list in a query is a parameter that is repeated, or has commas, or both. */
function withLists(schema: TSchema, value: unknown): unknown {
  if (!IsObject(schema) || !isFields(value)) return value;
  const lists = Object.keys(schema.properties).filter((name) => {
    const property = schema.properties[name];
    return property !== undefined && mayBeList(property, value[name]) && !isEmpty(value[name]);
  });
  if (lists.length === 0) return value;
  const split = lists.map((name) => [name, [value[name]].flat().flatMap((text) => String(text).split(','))]);
  return { ...value, ...Object.fromEntries(split) };
}
