import { RpcError } from '../rpc.ts';
import type { UserRow } from './state/rows.ts';

/** How often an account may make calls of one kind. `docs/sandbox.md` says where the figures come from. */
interface RateLimit {
  /** Calls at once, after a pause. */
  capacity: number;
  /** Calls that become possible again with each second. */
  perSecond: number;
  /** A refused account has to wait until this many calls are possible again. */
  resumeAt: number;
  /** Premium accounts have no such limit: free ones are told `FLOOD_PREMIUM_WAIT_X`. */
  isForFreeAccounts?: boolean;
}

const limits: Readonly<Record<string, RateLimit>> = {
  upload: { capacity: 20, perSecond: 1, resumeAt: 3, isForFreeAccounts: true },
  download: { capacity: 60, perSecond: 2, resumeAt: 10, isForFreeAccounts: true },
  username: { capacity: 200, perSecond: 200 / 86_400, resumeAt: 1 },
  phone: { capacity: 200, perSecond: 200 / 86_400, resumeAt: 1 },
  fullChannel: { capacity: 30, perSecond: 0.5, resumeAt: 13 },
  history: { capacity: 30, perSecond: 1, resumeAt: 27 },
};

const kinds: Readonly<Record<string, keyof typeof limits>> = {
  'upload.saveFilePart': 'upload',
  'upload.saveBigFilePart': 'upload',
  'upload.getFile': 'download',
  'contacts.resolveUsername': 'username',
  'contacts.resolvePhone': 'phone',
  'channels.getFullChannel': 'fullChannel',
  'messages.getHistory': 'history',
};

interface Bucket {
  /** Calls that were possible at {@link countedAt}. */
  calls: number;
  countedAt: number;
  /** A refused account is refused until then, whatever the bucket holds. */
  notBefore: number;
}

/** The token buckets of all accounts, one for each kind of call. They are not stored. */
export class RateLimits {
  readonly #isOn: boolean;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param now milliseconds of the world's clock */
  constructor(isOn: boolean, now: () => number) {
    this.#isOn = isOn;
    this.#now = now;
  }

  /** Counts a call. @throws {RpcError} 420 FLOOD_WAIT_X, FLOOD_PREMIUM_WAIT_X: X seconds */
  count(method: string, caller: UserRow): void {
    const kind = kinds[method];
    const limit = kind === undefined ? undefined : limits[kind];
    if (!this.#isOn || limit === undefined || (limit.isForFreeAccounts && caller.premium)) return;
    const now = this.#now();
    const bucket = this.#filled(`${caller.id}/${kind}`, limit, now);
    if (now >= bucket.notBefore && bucket.calls >= 1) {
      bucket.calls -= 1;
      return;
    }
    if (now >= bucket.notBefore) {
      bucket.notBefore = now + (1_000 * (limit.resumeAt - bucket.calls)) / limit.perSecond;
    }
    const seconds = Math.ceil((bucket.notBefore - now) / 1_000);
    throw new RpcError(420, `FLOOD_${limit.isForFreeAccounts ? 'PREMIUM_' : ''}WAIT_${seconds}`);
  }

  clear(): void {
    this.#buckets.clear();
  }

  #filled(key: string, { capacity, perSecond }: RateLimit, now: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { calls: capacity, countedAt: now, notBefore: 0 };
    this.#buckets.set(key, bucket);
    bucket.calls = Math.min(capacity, bucket.calls + ((now - bucket.countedAt) * perSecond) / 1_000);
    bucket.countedAt = now;
    return bucket;
  }
}
