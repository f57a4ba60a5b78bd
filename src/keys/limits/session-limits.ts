import type { SessionViews } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeyRegistry } from '../key-registry.ts';

export interface KeySessionLimitsDeps {
  keys: Pick<KeyRegistry, 'familyOf' | 'lineOf'>;
  views: Pick<SessionViews, 'countOfKeys' | 'waitFor'>;
}

/**
 * How many sessions keys may have at a time (KY3). Those of a key that it has issued count too. Sessions in the making
 * count from the request until the views show them.
 */
export class KeySessionLimits {
  readonly #deps: KeySessionLimitsDeps;
  /** By key: sessions in the making. */
  readonly #made = new Map<string, number>();

  constructor(deps: KeySessionLimitsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a session of a key.
   * @param keyId undefined: of none
   * @throws {GatewayError} 429: a limit is reached. And what `create` throws
   */
  async during<T extends { position: bigint }>(keyId: string | undefined, create: () => Promise<T>): Promise<T> {
    if (keyId === undefined) return create();
    for (const { id, limits } of this.#deps.keys.lineOf(keyId)) this.#check(id, limits?.sessions);
    this.#add(keyId, 1);
    try {
      const created = await create();
      void this.#deps.views.waitFor(created.position).then(() => this.#add(keyId, -1));
      return created;
    } catch (error) {
      this.#add(keyId, -1);
      throw error;
    }
  }

  #check(id: string, limit: number | undefined): void {
    if (limit === undefined) return;
    const { keys, views } = this.#deps;
    const family = keys.familyOf(id);
    const made = family.reduce((sum, one) => sum + (this.#made.get(one) ?? 0), 0);
    if (views.countOfKeys(family) + made >= limit) throw new GatewayError(429, `limit of ${limit} sessions reached`);
  }

  #add(keyId: string, count: 1 | -1): void {
    const made = (this.#made.get(keyId) ?? 0) + count;
    if (made === 0) this.#made.delete(keyId);
    else this.#made.set(keyId, made);
  }
}
