import type { SessionViews } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeyRegistry } from '../key-registry.ts';

export interface KeySessionLimitsDeps {
  keys: Pick<KeyRegistry, 'familyOf' | 'lineOf'>;
  views: Pick<SessionViews, 'countOfKeys' | 'waitFor'>;
}

/** 429: the limit is reached. */
export class SessionLimitError extends GatewayError {
  constructor(message: string) {
    super(429, message);
  }
}

/** A session in the making, as far as it is recorded. */
interface Made {
  position: bigint;
}

/** Runs a creation while another process, which keeps the limits of the key `root` and all below it, counts it for the key `keyId`. */
export type CountElsewhere = <T extends Made>(root: string, keyId: string, create: () => Promise<T>) => Promise<T>;

/**
 * How many sessions keys may have at a time (KY3). Those of a key that it has issued count too. Sessions in the making
 * count from the request until the views show them.
 */
export class KeySessionLimits {
  readonly #deps: KeySessionLimitsDeps;
  /** By key: sessions in the making. */
  readonly #made = new Map<string, number>();
  #countElsewhere: CountElsewhere = (_root, _keyId, create) => create();

  constructor(deps: KeySessionLimitsDeps) {
    this.#deps = deps;
  }

  /** Among several processes, one counts for all. */
  countsElsewhere(count: CountElsewhere): void {
    this.#countElsewhere = count;
  }

  /**
   * Creates a session of a key.
   * @param keyId undefined: of none
   * @throws {SessionLimitError} a limit is reached. And what `create` throws
   */
  async during<T extends Made>(keyId: string | undefined, create: () => Promise<T>): Promise<T> {
    if (keyId === undefined) return create();
    const counted = (): Promise<T> => this.#counted(keyId, create);
    // Keys that count each other's sessions have it in common.
    const root = this.#deps.keys.lineOf(keyId).findLast(({ limits }) => limits?.sessions !== undefined);
    return root === undefined ? counted() : this.#countElsewhere(root.id, keyId, counted);
  }

  /**
   * A session of the key is in the making, here or in another process.
   * @returns to be called once: with the position of its creation, or 0 if it is not created
   * @throws {SessionLimitError} a limit is reached
   */
  hold(keyId: string): (position: bigint) => void {
    for (const { id, limits } of this.#deps.keys.lineOf(keyId)) this.#check(id, limits?.sessions);
    this.#add(keyId, 1);
    return (position) => void this.#deps.views.waitFor(position).then(() => this.#add(keyId, -1));
  }

  async #counted<T extends Made>(keyId: string, create: () => Promise<T>): Promise<T> {
    const release = this.hold(keyId);
    try {
      const created = await create();
      release(created.position);
      return created;
    } catch (error) {
      release(0n);
      throw error;
    }
  }

  #check(id: string, limit: number | undefined): void {
    if (limit === undefined) return;
    const { keys, views } = this.#deps;
    const family = keys.familyOf(id);
    const made = family.reduce((sum, one) => sum + (this.#made.get(one) ?? 0), 0);
    if (views.countOfKeys(family) + made >= limit) throw new SessionLimitError(`limit of ${limit} sessions reached`);
  }

  #add(keyId: string, count: 1 | -1): void {
    const made = (this.#made.get(keyId) ?? 0) + count;
    if (made === 0) this.#made.delete(keyId);
    else this.#made.set(keyId, made);
  }
}
