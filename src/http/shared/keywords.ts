/**
 * Keywords for rules of ER2 that JSON Schema cannot express. `validation.ts` applies them, `openapi/publish.ts`
 * translates them for the API document.
 */
export interface Keywords {
  /** Of a property: it names the recipient. Of several, the first one counts; one is required. */
  recipient?: true;
  /** Of an object with a `type`: its name in the API document, which has an object for each type. */
  named?: string;
  /** Of an optional property: required if the field `type` has one of these values. An object is read only then. */
  neededFor?: readonly unknown[];
  /** Of an object: its first two properties are both filled, or both empty. The text is the purpose: `to turn it off`. */
  bothOrNeither?: string;
  /** Of an object: the names of properties of which exactly one has to be filled. */
  exactlyOne?: readonly [string, ...string[]];
  /** Of a string: base64 (RFC 4648, 4) of up to this many bytes. */
  base64Bytes?: number;
  /** Of a string: if it is filled, an http or https URL. */
  httpUrl?: boolean;
  /** Of a string: if it is filled, the URL of a proxy to Telegram. */
  proxyUrl?: boolean;
  /** Of a string: only blanks mean the same as leaving it out. */
  blankIsEmpty?: true;
  /** Of a required string: an empty one is a value, and only a missing one is refused. */
  emptyCounts?: true;
  /** Of an optional object of a body: null is a value of its own, and not the same as leaving it out. */
  nullCounts?: true;
  /** Of a map: the greatest size of its names and values together, in bytes of UTF-8. */
  maxBytes?: number;
  /** Of a string with a `pattern`: what a value that matches is: `a message ID`. */
  is?: string;
  /** Of a string whose `pattern` is a number's: the greatest value. */
  greatest?: number;
  /** Of a string with a `pattern` in a query: the whole number that it is. Clients see that; `pattern` and `is` make its errors. */
  wholeNumber?: { minimum: number; maximum: number };
  /** Of a number: more than 0. */
  positive?: true;
  /** Of a number with `minimum` and `maximum`: 0 means the same as leaving it out. */
  zeroIsEmpty?: true;
}

/** Options of a TypeBox schema, checked by the compiler: TypeBox itself takes any keyword. */
export const keywords = <T extends Keywords & Record<string, unknown>>(options: T): T => options;
