import bigInt from 'big-integer';
import type { KnownPeer } from '../../peer-cache.ts';
import { WrongParametersError } from '../../port/raw.ts';
import { serviceAccounts } from '../../port/service-accounts.ts';
import { inputChannel, inputPeer, inputUser } from '../peers/input-peer.ts';
import { isPassword } from './refused-methods.ts';
import { constructorOf, constructorsOf, type Definition, type Field } from './schema.ts';

export interface ReadParamsDeps {
  /** The peer of a chat ID; undefined if the account has not met it. */
  peerOf: (chatId: string) => Promise<KnownPeer | undefined>;
  /** For a `random_id` that was left out. */
  randomId: () => bigint;
}

type Fields = Readonly<Record<string, unknown>>;

/** No request of Telegram nests deeper; a body may. */
const maxDepth = 24;
const int32 = 2 ** 31;
const int64 = 2n ** 63n;
/** Phrases that a list of hundreds of constructors would make unreadable. */
const maxNamed = 40;

/** What stands for a value that failed: it is in no request. */
const failed = Symbol('failed');

/**
 * GramJS's request of a method, from parameters as JSON.
 * @param deps `peerOf` may throw what a look-up at Telegram throws
 * @throws {WrongParametersError}
 */
export async function readParams(method: Definition, params: unknown, deps: ReadParamsDeps): Promise<object> {
  const reader = new ParamsReader(deps);
  const request = await reader.object(method, params ?? {}, 'params', 0);
  if (reader.failures.length > 0) throw new WrongParametersError(reader.failures);
  return request as object;
}

class ParamsReader {
  readonly failures: string[] = [];
  readonly #deps: ReadParamsDeps;

  constructor(deps: ReadParamsDeps) {
    this.#deps = deps;
  }

  /** An instance of a constructor or method, from its fields. */
  async object({ fields, create, name }: Definition, given: unknown, path: string, depth: number): Promise<unknown> {
    if (!isFields(given)) return this.#fail(`${path} must be an object`);
    if (depth > maxDepth) return this.#fail(`${path} is nested too deeply`);
    const known = new Set(['_', ...fields.map((field) => field.name)]);
    for (const unknown of Object.keys(given)) {
      if (!known.has(unknown)) this.#fail(`${path}.${unknown} should not exist: ${name} has no such field`);
    }
    if (given['_'] !== undefined && given['_'] !== name) this.#fail(`${path}._ must be ${name}`);
    const needed = neededBits(fields, given);
    const properties: Record<string, unknown> = {};
    for (const field of fields) {
      const value = given[field.name];
      const label = `${path}.${field.name}`;
      if (!isMissing(value) && isPassword(field)) {
        this.#fail(`${label} is refused`);
      } else if (!isMissing(value) && isQuotedChat(name, field) && isOfServiceAccount(value)) {
        this.#fail(`${label} must not be a chat of Telegram's own accounts`);
      } else if (!isMissing(value)) {
        const item = await this.#field(field, value, label, depth);
        // An optional `true` that is false is left out.
        properties[field.property] = field.type === 'true' && item === false ? undefined : item;
      } else if (field.name === 'random_id' && field.type === 'long') {
        properties[field.property] = this.#randomIds(field, given);
      } else if (field.bit === undefined || (field.type !== 'true' && needed.has(field.bit))) {
        this.#fail(`${label} should not be empty`);
      }
    }
    return this.failures.length > 0 ? failed : new create(properties);
  }

  async #field(field: Field, value: unknown, path: string, depth: number): Promise<unknown> {
    if (!field.isVector) return this.#value(field.type, value, path, depth);
    if (!Array.isArray(value)) return this.#fail(`${path} must be an array`);
    const items: unknown[] = [];
    for (const [place, item] of value.entries()) {
      items.push(await this.#value(field.type, item, `${path}.${place}`, depth));
    }
    return items;
  }

  #value(type: string, value: unknown, path: string, depth: number): unknown {
    switch (type) {
      case 'int':
        return this.#int(value, path);
      case 'long':
        return this.#long(value, path);
      case 'double':
        return typeof value === 'number' && Number.isFinite(value) ? value : this.#fail(`${path} must be a number`);
      case 'string':
        return typeof value === 'string' ? value : this.#fail(`${path} must be a string`);
      case 'bytes':
        return isBase64(value) ? Buffer.from(value, 'base64') : this.#fail(`${path} must be base64`);
      case 'true':
      case 'Bool':
        return typeof value === 'boolean' ? value : this.#fail(`${path} must be a boolean`);
      case 'InputPeer':
      case 'InputUser':
      case 'InputChannel':
        return typeof value === 'string' ? this.#chat(type, value, path) : this.#boxed(type, value, path, depth);
      default:
        return this.#boxed(type, value, path, depth);
    }
  }

  #boxed(type: string, value: unknown, path: string, depth: number): unknown {
    if (!isFields(value)) return this.#fail(`${path} must be an object`);
    const { _: name } = value;
    if (isMissing(name)) return this.#fail(`${path}._ should not be empty`);
    const names = constructorsOf(type);
    const definition = typeof name === 'string' && names.includes(name) ? constructorOf(name) : undefined;
    if (definition !== undefined) return this.object(definition, value, path, depth + 1);
    const listed = `one of the following values: ${names.join(', ')}`;
    return this.#fail(`${path}._ must be ${names.length > maxNamed ? `a constructor of ${type}` : listed}`);
  }

  async #chat(type: 'InputPeer' | 'InputUser' | 'InputChannel', id: string, path: string): Promise<unknown> {
    const peer = await this.#deps.peerOf(id);
    if (peer === undefined) return this.#fail(`${path} must be a known chat`);
    if (type === 'InputPeer') return inputPeer(peer);
    if (type === 'InputUser') return peer.kind === 'user' ? inputUser(peer) : this.#fail(`${path} must be a user ID`);
    const isChannel = peer.kind !== 'user' && peer.hash !== undefined;
    return isChannel ? inputChannel(peer) : this.#fail(`${path} must be the ID of a supergroup or channel`);
  }

  #int(value: unknown, path: string): unknown {
    if (!Number.isInteger(value)) return this.#fail(`${path} must be an integer`);
    const isInRange = Number(value) >= -int32 && Number(value) < int32;
    return isInRange ? value : this.#fail(`${path} must be between ${-int32} and ${int32 - 1}`);
  }

  #long(value: unknown, path: string): unknown {
    const isLong = typeof value === 'string' && /^-?\d{1,20}$/.test(value);
    const number = isLong ? BigInt(value) : int64;
    if (number < -int64 || number >= int64) return this.#fail(`${path} must be a 64-bit integer in a string`);
    return bigInt(number);
  }

  /** Of a list, as many as there are messages. */
  #randomIds({ isVector }: Field, { id }: Fields): unknown {
    const one = (): unknown => bigInt(this.#deps.randomId());
    return isVector ? (Array.isArray(id) ? id.map(one) : []) : one();
  }

  #fail(failure: string): typeof failed {
    this.failures.push(failure);
    return failed;
  }
}

/** The bits that the given fields set: every other field of such a bit has to be there too. */
function neededBits(fields: readonly Field[], given: Fields): ReadonlySet<string> {
  const bits = fields.map(({ name, type, bit }) => {
    const value = given[name];
    return isMissing(value) || (type === 'true' && value === false) ? undefined : bit;
  });
  return new Set(bits.filter((bit) => bit !== undefined));
}

/** The chat whose message a reply in another chat quotes: what is quoted is copied. */
const isQuotedChat = (constructor: string, { name }: Field): boolean =>
  constructor === 'inputReplyToMessage' && name === 'reply_to_peer_id';

/** A chat ID, or an input peer, of Telegram's own accounts, which send login codes. */
function isOfServiceAccount(chat: unknown): boolean {
  const id = isFields(chat) ? chat['user_id'] : chat;
  return serviceAccounts.has(String(id).replace(/^0+/, ''));
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMissing = (value: unknown): boolean => value === undefined || value === null;
const isBase64 = (value: unknown): value is string =>
  typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
