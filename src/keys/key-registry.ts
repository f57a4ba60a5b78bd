import { timingSafeEqual } from 'node:crypto';
import type { RetryDeps } from '../../actors/kit/retry.ts';
import { SerialQueue } from '../../actors/kit/serial-queue.ts';
import { SingleWriter } from '../../actors/kit/single-writer.ts';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import {
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  type Subscription,
  WrongExpectedRevisionError,
} from '../../actors/ports/event-store.ts';
import { evolveKey, type IssuedKey, stateOfKey } from './issued-key.ts';
import { keyCodec, stampKeyEvent } from './key-codec.ts';
import { type KeyIssued, type KeyRevoked, keysStream } from './key-events.ts';
import { KeyListeners } from './key-listeners.ts';
import { hashOfSecret, idOfSecret, secretBytes, secretText } from './secret-text.ts';

/** Compared if there is no such key, so that an unknown ID costs the same as a wrong secret (AU3). */
const hashOfNoKey = '0'.repeat(64);

export interface KeyRegistryDeps extends RetryDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read' | 'subscribeAll'>;
  clock: Clock;
  random: Randomness;
  reportUnreadable: ReportUnreadable;
  /** The log cannot be followed any more: a revocation on another node would not be seen. */
  onError: (error: unknown) => void;
}

/** What a new key is to be. */
export type KeyWish = Pick<KeyIssued, 'name' | 'scopes' | 'tenant' | 'expires' | 'limits' | 'chats' | 'issuer'>;

/**
 * All keys in memory: the fold of the stream of keys, which it follows, so that it knows within moments what another node has
 * recorded.
 */
export class KeyRegistry {
  readonly #deps: KeyRegistryDeps;
  readonly #keys = new Map<string, IssuedKey>();
  readonly #listeners: KeyListeners;
  /** Two appends of this process never expect the same revision. */
  readonly #writes = new SerialQueue();
  #revision = -1;
  #subscription: Subscription | undefined;

  constructor(deps: KeyRegistryDeps) {
    this.#deps = deps;
    this.#listeners = new KeyListeners(deps.clock);
  }

  /** Whether the keys are known. */
  get isReady(): boolean {
    return this.#subscription !== undefined;
  }

  /**
   * Reads the stream, then follows it.
   * @param after a position of the store from which on everything is seen again: a pass over the whole log takes long
   * @throws {StoreUnavailableError}
   */
  async start(after: bigint): Promise<void> {
    await this.catchUp();
    this.#subscription = this.#deps.store.subscribeAll({
      after,
      prefixes: [keysStream],
      onEvent: (event) => this.#see(event),
      onError: (error) => this.#deps.onError(error),
    });
  }

  async stop(): Promise<void> {
    await this.#subscription?.stop();
    this.#listeners.clear();
  }

  /** The key whose text this is, if it may be used now. */
  find(text: string): IssuedKey | undefined {
    const key = this.#keys.get(idOfSecret('key', text) ?? '');
    const expected = Buffer.from(key?.hash ?? hashOfNoKey, 'hex');
    const isRight = timingSafeEqual(Buffer.from(hashOfSecret(text), 'hex'), expected);
    return key !== undefined && isRight && this.isActive(key.id) ? key : undefined;
  }

  get(id: string): IssuedKey | undefined {
    return this.#keys.get(id);
  }

  /** The key, the one that issued it, the one that issued that, and so on. */
  lineOf(id: string): IssuedKey[] {
    const key = this.#keys.get(id);
    return key === undefined ? [] : [key, ...(key.issuer === undefined ? [] : this.lineOf(key.issuer))];
  }

  /** IDs of the key and of all that were issued with it, or with one of those. */
  familyOf(id: string): string[] {
    return [...this.#keys.keys()].filter((one) => this.lineOf(one).some((key) => key.id === id));
  }

  /** In the order of their IDs, which is that of their making. */
  list(): IssuedKey[] {
    return [...this.#keys.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  isActive(id: string): boolean {
    const key = this.#keys.get(id);
    return key !== undefined && stateOfKey(key, this.#deps.clock.now()) === 'active';
  }

  /** Calls the listener once the key is revoked, or has expired. @returns a function that removes the listener */
  onEnd(id: string, listener: () => void): () => void {
    return this.#listeners.listen(id, this.#keys.get(id)?.expires, listener);
  }

  /**
   * @param author who issues it: `owner`, or the name of a key
   * @param mayStill asked when its turn has come: a key that was revoked meanwhile issues none
   * @returns the key, and its text, which is nowhere else
   * @throws {StoreUnavailableError} and what `mayStill` throws
   */
  issue(wish: KeyWish, author: string, mayStill: () => void): Promise<{ key: IssuedKey; text: string }> {
    return this.#writes.run(async () => {
      const { random } = this.#deps;
      const id = random.uuid();
      const text = secretText('key', id, random.bytes(secretBytes));
      const issued: KeyIssued = { id, hash: hashOfSecret(text), ...wish };
      await this.#record('KeyIssued', () => (mayStill(), issued), author);
      return { key: this.#keys.get(id) as IssuedKey, text };
    });
  }

  /**
   * @returns false if there is no such key, or if it is revoked already
   * @throws {StoreUnavailableError} and what `mayStill` throws
   */
  revoke(id: string, author: string, mayStill: () => void): Promise<boolean> {
    return this.#writes.run(async () => {
      const source = (): KeyRevoked | undefined => {
        mayStill();
        const key = this.#keys.get(id);
        return key === undefined || key.revoked !== undefined ? undefined : { id };
      };
      return this.#record('KeyRevoked', source, author);
    });
  }

  /** @param source is asked again if another node was first; undefined: there is nothing to record */
  async #record(
    type: 'KeyIssued' | 'KeyRevoked',
    source: () => KeyIssued | KeyRevoked | undefined,
    author: string,
  ): Promise<boolean> {
    const { clock, random } = this.#deps;
    for (;;) {
      const data = source();
      if (data === undefined) return false;
      const metadata = stampKeyEvent({ at: clock.now(), author }, data);
      const event: NewEvent = { id: random.uuid(), type, data: data as unknown as NewEvent['data'], metadata };
      const writer = new SingleWriter<NewEvent>(this.#deps, { stream: keysStream, revision: this.#revision });
      try {
        const { revision, position } = await writer.write([event]);
        this.#see({ ...event, stream: keysStream, revision, position, created: metadata.at });
        return true;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
        await this.catchUp();
      }
    }
  }

  /** Reads what other nodes have recorded, without waiting until the store tells of it. @throws {StoreUnavailableError} */
  async catchUp(): Promise<void> {
    for await (const event of this.#deps.store.read(keysStream, { from: this.#revision + 1 })) this.#see(event);
  }

  #see(recorded: RecordedEvent): void {
    // Another gateway's stream may begin with the same letters; and what was read is delivered once more.
    if (recorded.stream !== keysStream || recorded.revision <= this.#revision) return;
    this.#revision = recorded.revision;
    const event = keyCodec.decode(recorded);
    if (isUnreadable(event)) {
      this.#deps.reportUnreadable(event);
      return;
    }
    const key = evolveKey(this.#keys.get(event.data.id), event);
    if (key === undefined) return;
    this.#keys.set(key.id, key);
    if (key.revoked !== undefined) this.#listeners.ended(key.id);
  }
}
