import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import {
  type Appended,
  type EventStore,
  type StoreOverview,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { StartError } from '../../errors/gateway-error.ts';

/** Its first event, whose ID is the identity of the store. A copy of the store has the same one. */
const identityStream = 'store-identity';

/** Wait before what was seen is saved, so that many appends are one write. */
const saveDelayMs = 100;

/** What the file holds: the store's identity, and the last event of an append that was seen. */
const Seen = Type.Object({
  identity: Type.String(),
  stream: Type.String(),
  revision: Type.Integer(),
  position: Type.String(),
  id: Type.String(),
});
type Seen = Static<typeof Seen>;

/** Where an event is. */
interface Place extends Appended {
  id: string;
  stream: string;
}

export interface SeenStoreDeps {
  store: EventStore & Partial<Pick<StoreOverview, 'newestPosition'>>;
  clock: Clock;
  randomness: Pick<Randomness, 'uuid'>;
  log: Log;
}

export interface SeenStoreOptions {
  /** Where it is remembered, in the data directory. */
  file: string;
  /** Of the store, for the operator. */
  name: string;
  /** Goes on with an older, emptier or other store. */
  acceptOlder: boolean;
}

/** Remembers what was recorded in the store, over restarts, and refuses a store that does not have it (FA4). */
export class SeenStore {
  readonly #deps: SeenStoreDeps;
  readonly #options: SeenStoreOptions;
  #seen: Seen | undefined;
  #saving: TimerHandle | undefined;

  constructor(deps: SeenStoreDeps, options: SeenStoreOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#seen = read(options.file);
  }

  /** @throws {StartError} the store is older, emptier or another than the one that was seen @throws {StoreUnavailableError} */
  async check(): Promise<void> {
    const { name, acceptOlder } = this.#options;
    const first = await this.#firstOf(identityStream);
    const fault = this.#seen && (await this.#faultOf(this.#seen, first?.id));
    if (fault !== undefined) {
      const problem = `the event store ${name} is not as ${this.#options.file} remembers it: ${fault}`;
      if (!acceptOlder) {
        throw new StartError(
          `${problem}. Bring back the newest store (its backup, its volume, its file events.db-wal), or correct EVENT_STORE_URL; ` +
            'to go on with this one, and without what it has lost, set ACCEPT_OLDER_STORE=true for one start',
        );
      }
      this.#deps.log.warn({ fault }, 'an older, emptier or other event store was accepted');
    }
    if (this.#seen === undefined || fault !== undefined) this.#begin(first ?? (await this.#identify()));
  }

  /** Events were recorded, the last of them with this ID. */
  note(stream: string, { revision, position }: Appended, id: string): void {
    if (this.#seen === undefined || position <= BigInt(this.#seen.position)) return;
    this.#seen = { ...this.#seen, stream, revision, position: position.toString(), id };
    this.#saving ??= this.#deps.clock.setTimeout(() => this.save(), saveDelayMs);
  }

  /** Writes the file now. If that fails, it remembers less, and the next append tries again. */
  save(): void {
    if (this.#saving !== undefined) this.#deps.clock.clearTimeout(this.#saving);
    this.#saving = undefined;
    if (this.#seen === undefined) return;
    const { file } = this.#options;
    try {
      writeFileSync(`${file}.new`, `${JSON.stringify(this.#seen)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (err) {
      this.#deps.log.warn({ err }, 'what the event store holds could not be remembered');
    }
  }

  /** Undefined if the store has what was seen. */
  async #faultOf(seen: Seen, identity: string | undefined): Promise<string | undefined> {
    if (identity === undefined) return 'it is empty, or older';
    if (identity !== seen.identity) return 'it is another store';
    return (await this.#hasEvent(seen)) ? undefined : 'it is older';
  }

  async #hasEvent({ stream, revision, position, id }: Seen): Promise<boolean> {
    const { store } = this.#deps;
    const found = await this.#firstOf(stream, revision);
    if (found !== undefined) return found.revision > revision || found.id === id;
    if ((await store.last(stream)) !== undefined) return false;
    // The stream was removed since, or never there.
    const newest = await store.newestPosition?.();
    return newest !== undefined && newest >= BigInt(position);
  }

  #begin({ id, stream, revision, position }: Place): void {
    this.#seen = { identity: id, id, stream, revision, position: position.toString() };
    this.save();
  }

  async #identify(): Promise<Place> {
    const { store, randomness } = this.#deps;
    const id = randomness.uuid();
    try {
      const event = { id, type: 'StoreBegun', data: {}, metadata: {} };
      return { id, stream: identityStream, ...(await store.append(identityStream, 'no-stream', [event])) };
    } catch (error) {
      // An earlier try was recorded after all.
      const first = error instanceof WrongExpectedRevisionError ? await this.#firstOf(identityStream) : undefined;
      if (first === undefined) throw error;
      return first;
    }
  }

  async #firstOf(stream: string, from = 0): Promise<Place | undefined> {
    for await (const event of this.#deps.store.read(stream, { from, limit: 1 })) return event;
    return undefined;
  }
}

/** Undefined if there is no such file, or a power cut has left half of one. */
function read(file: string): Seen | undefined {
  try {
    const seen: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Value.Check(Seen, seen) ? seen : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
