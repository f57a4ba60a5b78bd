/**
 * What an answer is made of, without what it says: which constructors stand where, which of their fields are there, how
 * lists are sorted, and whether dates are past, now or to come. No text, number or name of an account is in it.
 */
export type AnswerShape = readonly ShapeEntry[];

/** The objects of one constructor in one place. */
export interface ShapeEntry {
  /** Empty for the answer itself; `users[].photo`. */
  path: string;
  constructor: string;
  /** Fields that all objects have, and those that only some have. */
  always: readonly string[];
  sometimes: readonly string[];
  /** The times of dates. */
  times: Readonly<Record<string, Time | 'mixed'>>;
  /** How the IDs of a list follow each other, if there are several. */
  order: 'rising' | 'falling' | 'mixed' | undefined;
}

type Time = 'past' | 'now' | 'future';

/** An object of the library, as far as it concerns the shape. */
type TlObject = Readonly<Record<string, unknown>> & { readonly className: string };

/** The library's own properties of an object. */
const bookkeeping = new Set([
  'CONSTRUCTOR_ID',
  'SUBCLASS_OF_ID',
  'className',
  'classType',
  'originalArgs',
  'flags',
  'flags2',
]);
const datePattern = /^(?:date|expires)|(?:Date|Until|Since)$/;
/** A date this close to the clock is now. */
const nowSeconds = 300;
/** Smaller numbers are no dates. */
const firstDate = 1_000_000_000;

/** @param now seconds since 1970 */
export function shapeOf(answer: unknown, now: number): AnswerShape {
  const groups = new Map<string, { path: string; objects: TlObject[] }>();
  const orders = new Map<string, ShapeEntry['order']>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      const order = orderOf(value);
      if (order !== undefined) orders.set(`${path}[]`, order);
      for (const item of value) visit(item, `${path}[]`);
    } else if (isTlObject(value)) {
      const key = `${path}: ${value.className}`;
      const group = groups.get(key) ?? { path, objects: [] };
      groups.set(key, group);
      group.objects.push(value);
      for (const field of fieldsOf(value)) visit(value[field], path === '' ? field : `${path}.${field}`);
    }
  };
  visit(answer, '');
  if (!isTlObject(answer) && !Array.isArray(answer)) return [plainEntry(answer)];
  return [...groups.values()].map(({ path, objects }) => entryOf(path, objects, orders.get(path), now));
}

/** An answer that is no object: `true`, a number, bytes. */
function plainEntry(value: unknown): ShapeEntry {
  const constructor = typeof value === 'boolean' ? String(value) : typeof value;
  return { path: '', constructor, always: [], sometimes: [], times: {}, order: undefined };
}

function entryOf(path: string, objects: readonly TlObject[], order: ShapeEntry['order'], now: number): ShapeEntry {
  const counts = new Map<string, number>();
  const times: Record<string, Time | 'mixed'> = {};
  for (const object of objects) {
    for (const field of fieldsOf(object)) {
      counts.set(field, (counts.get(field) ?? 0) + 1);
      const time = timeOf(field, object[field], now);
      if (time !== undefined) times[field] = (times[field] ?? time) === time ? time : 'mixed';
    }
  }
  const named = [...counts.keys()].toSorted();
  return {
    path,
    constructor: objects[0]?.className ?? '',
    always: named.filter((field) => counts.get(field) === objects.length),
    sometimes: named.filter((field) => counts.get(field) !== objects.length),
    times,
    order,
  };
}

function isTlObject(value: unknown): value is TlObject {
  return typeof (value as TlObject | null | undefined)?.className === 'string';
}

/** The fields that are there: a flag that is not set is as if it were missing. */
function fieldsOf(object: TlObject): string[] {
  return Object.keys(object).filter((name) => {
    const value = object[name];
    return !bookkeeping.has(name) && value !== undefined && value !== null && value !== false;
  });
}

function timeOf(field: string, value: unknown, now: number): Time | undefined {
  if (!datePattern.test(field) || typeof value !== 'number' || value < firstDate) return undefined;
  if (Math.abs(value - now) <= nowSeconds) return 'now';
  return value < now ? 'past' : 'future';
}

function orderOf(list: readonly unknown[]): ShapeEntry['order'] {
  const ids = list.map((item) => (isTlObject(item) ? item['id'] : undefined));
  if (ids.length < 2 || ids.some((id) => typeof id !== 'number')) return undefined;
  const pairs = ids.slice(1).map((id, index) => (id as number) - (ids[index] as number));
  if (pairs.every((step) => step >= 0)) return 'rising';
  return pairs.every((step) => step <= 0) ? 'falling' : 'mixed';
}
