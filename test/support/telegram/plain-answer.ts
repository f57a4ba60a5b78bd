import type bigInt from 'big-integer';

/**
 * Brings answers of GramJS, and answers of the gateway in the published form, to one form that can be compared. It uses
 * neither the gateway's code nor the schema: only the rule by which GramJS renames things.
 */

type Plain = string | number | boolean | Plain[] | { [name: string]: Plain };

/** GramJS's object: its class, and what it was made of. */
interface GramObject {
  className: string;
  originalArgs: Record<string, unknown>;
}

/** An answer of GramJS, without the flags and what is not there. */
export function plainOfGramJs(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(plainOfGramJs);
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value as Plain;
  const { className, originalArgs } = value as Partial<GramObject>;
  if (className === undefined || originalArgs === undefined) return (value as bigInt.BigInteger).toString();
  const there = Object.entries(originalArgs).filter(([name, held]) => !/^flags2?$/.test(name) && isThere(held));
  return { class: className, ...Object.fromEntries(there.map(([name, held]) => [name, plainOfGramJs(held)])) };
}

/** An answer of the gateway. */
export function plainOfJson(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(plainOfJson);
  if (typeof value !== 'object' || value === null) return value as Plain;
  const { _: name, ...fields } = value as Record<string, unknown>;
  const there = Object.entries(fields).filter(([, held]) => isThere(held));
  return {
    class: String(name)
      .replace(/(^|\.)([a-z])/, (_match, dot: string, first: string) => dot + first.toUpperCase())
      .replace(
        /^(\w+)\.(\w)/,
        (_match, space: string, first: string) => `${space[0]?.toLowerCase()}${space.slice(1)}.${first.toUpperCase()}`,
      ),
    ...Object.fromEntries(there.map(([field, held]) => [camel(field), plainOfJson(held)])),
  };
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
/** A flag that is not set is not there in one form, and false in the other. */
const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
