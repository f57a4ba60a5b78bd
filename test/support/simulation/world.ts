import { isDeepStrictEqual } from 'node:util';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import { type EventStore, StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { silentLog } from '../../../actors/ports/log.ts';
import { soleOwner } from '../../../actors/ports/ownership.ts';
import type { LoginRequest } from '../../../actors/ports/telegram-session.ts';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import {
  type Recorded,
  SessionNotActiveError,
  SessionNotFoundError,
  type Sessions,
  SessionsStartingError,
} from '../../../actors/runtime/sessions.ts';
import { type SessionFactType, sessionIdOf } from '../../../actors/session/events.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { createPlainSealer } from '../actors/plain-sealer.ts';
import { createDrivenClock, createSeededRandomness } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { createFaultyStore, type FaultyStore } from '../store/faulty-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createMemoryViewDatabase } from '../store/memory-view-database.ts';
import { Chance } from './chance.ts';
import { Trouble } from './faults.ts';
import { InvariantError, Witness } from './model.ts';
import { clockOfProcess, withoutAny } from './process-limits.ts';
import { SimulatedTelegram } from './simulated-telegram.ts';
import { farthestStepMs, type Variant } from './variant.ts';

/** Shorter than in a vault, so that a run may see the end of it. */
export const logOutKeptMs = 2 * 60_000;

const refusals = [StoreUnavailableError, SessionNotActiveError, SessionNotFoundError, SessionsStartingError];

/** One process: everything here is gone when it crashes. */
interface Life {
  alive: boolean;
  store: FaultyStore;
  telegram: SimulatedTelegram;
  sessions: Sessions;
  views: ProjectionRunner;
  /** Starting, or ending in order. */
  stopping: boolean;
}

/** What lasts (store, keys, kept views, time) and the process of the moment. */
export class World {
  readonly clock = createDrivenClock({ turns: 1 });
  readonly chance: Chance;
  readonly witness: Witness;
  /** How often something happened, by name: shows that a run was not empty. */
  readonly happened = new Map<string, number>();
  readonly sealer = createPlainSealer();
  life: Life;
  readonly trouble: Trouble;
  readonly #random;
  readonly #below: EventStore;
  readonly #database = createMemoryViewDatabase();
  #lives = 0;
  #fenced = 0;
  #broken: Error | undefined;
  /** How far the wall clock is ahead. */
  #aheadMs = 0;

  constructor(seed: number, variant: Variant) {
    this.witness = new Witness({
      now: () => this.clock.now(),
      clockSteps: variant === 'clock steps',
      count: (name) => this.count(name),
      onBroken: (error) => this.#break(error),
    });
    this.#random = createSeededRandomness(seed, this.clock);
    this.chance = new Chance(createSeededRandomness(seed + 1_000_000, this.clock));
    this.trouble = new Trouble(variant, this.chance, this.witness, this.clock, this.#random);
    const forgets = (): boolean => this.chance.percent(50);
    this.#below = this.witness.watch(createMemoryStore(this.clock, undefined, forgets));
    this.life = this.#begin();
  }

  count(name: string): void {
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
  }

  setWallClock(aheadMs: number): void {
    this.count(aheadMs < this.#aheadMs ? 'clock set back' : 'clock set forward');
    this.clock.setWallClockBy(aheadMs - this.#aheadMs);
    this.#aheadMs = aheadMs;
  }

  /** @returns how much longer a state may last because it was entered while the clock was wrong, in milliseconds */
  setWallClockRight(): number {
    if (!this.happened.has('clock set forward') && !this.happened.has('clock set back')) return 0;
    this.setWallClock(0);
    return 2 * farthestStepMs;
  }

  /** The process dies where it stands, and another one starts over what lasts. */
  crash(): void {
    this.count('crash');
    if (this.life.store.held > 0) this.count('crash with an append under way');
    this.life.alive = false;
    this.life.store.crash();
    this.life = this.#begin();
  }

  /** The process ends in order, as soon as the store lets it. */
  stop(): void {
    this.count('stop');
    const { life } = this;
    life.stopping = true;
    void this.#guard(
      life,
      life.sessions.stop().then(async () => {
        await life.views.stop();
        if (!life.alive) return;
        life.alive = false;
        life.store.crash();
        this.life = this.#begin();
      }),
    );
  }

  /** A command whose answer is checked whenever it comes. */
  command(id: string, name: string, fact: SessionFactType | undefined, answer: Promise<Recorded>): void {
    void this.#answered(this.life, id, name, fact, answer);
  }

  create(): void {
    const { life } = this;
    const settings = this.chance.percent(50) ? { name: 'Support', metadata: { team: 'blue' } } : {};
    const login = this.chance.percent(35)
      ? this.chance.oneOf<LoginRequest>([{ phone: '4915100000001' }, { phone: '4915100000001' }, { string: 'marker' }])
      : undefined;
    const created = life.sessions.create(settings, undefined, login);
    void this.#guard(
      life,
      created.then(
        ({ id, position }) => this.witness.acknowledge(id, position, 'SessionCreated'),
        (error: unknown) => this.#refused('create', error),
      ),
    );
  }

  /** Everything that must be true at any time. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
    const { sessions, telegram, views } = this.life;
    for (const id of this.witness.sessions.keys()) {
      const shown = sessions.state(id);
      const recorded = this.witness.state(id);
      if (this.witness.unreadable.has(id)) {
        if (shown === 'held') this.count('held');
        else if (shown === undefined && recorded !== 'deleted')
          throw new InvariantError(`${id} is unreadable, and unknown`);
      } else if (shown === undefined) {
        if (recorded !== 'deleted' && !this.trouble.createdLate.has(id))
          throw new InvariantError(`${id} is unknown, and recorded as ${recorded}`);
      } else if (shown === 'held') {
        throw new InvariantError(`${id} is held`);
      } else if (shown === 'loading') {
        this.count('shown as loading');
      } else {
        this.witness.shown(id, shown);
      }
      if (recorded !== 'deleted' && !this.sealer.keys.has(id) && !this.trouble.createdLate.has(id))
        throw new InvariantError(`${id} has lost its key`);
    }
    const open = telegram.open().map(({ sessionId }) => sessionId);
    if (new Set(open).size !== open.length) throw new InvariantError('two links of one session');
    if (this.#fenced > this.trouble.surprises) throw new InvariantError('two actors of one session');
    for (const id of this.witness.changed) this.#checkView(id, views);
    this.witness.changed.clear();
  }

  /** After a long calm: nothing hangs, and nothing is left. */
  async checkEnd(): Promise<void> {
    this.check();
    for (const [id, { view }] of this.witness.sessions) {
      const shown = this.life.sessions.state(id) ?? 'deleted';
      if (this.witness.unreadable.has(id) && view.state !== 'deleted') {
        if (!this.sealer.keys.has(id)) throw new InvariantError(`${id} is unreadable, and lost its key`);
        continue;
      }
      if (shown !== view.state) throw new InvariantError(`${id} shows ${shown}, and is recorded as ${view.state}`);
      if (view.state !== 'deleted' && view.state !== 'connected')
        throw new InvariantError(`${id} outlives ${view.state}`);
      const tied = this.life.telegram.open().some(({ sessionId }) => sessionId === id);
      if (tied !== (view.state === 'connected')) throw new InvariantError(`${id} is ${view.state}, link open: ${tied}`);
      if (view.state === 'deleted' && this.sealer.keys.has(id)) throw new InvariantError(`${id} kept its key`);
      this.#checkView(id, this.life.views);
    }
    for (const id of this.sealer.keptLogOuts.keys()) throw new InvariantError(`${id} is still to be logged out`);
    for (const id of this.sealer.keys) {
      if (!this.witness.sessions.has(id)) throw new InvariantError(`${id} was never recorded, and kept its key`);
    }
    await this.witness.replayAll();
  }

  #begin(): Life {
    this.#lives += 1;
    const telegram = new SimulatedTelegram({
      onTold: (id, instruction, login) => {
        try {
          this.witness.told(id, instruction, login);
        } catch (error) {
          this.#break(error);
        }
      },
      answersLogOut: (id) => this.#answersLogOut(id),
    });
    const store = createFaultyStore(this.#below, (stream) => {
      const fault = this.trouble.faultOf(stream);
      if (fault !== undefined) this.count(`append ${fault.kind}`);
      return fault;
    });
    const alive = (): boolean => life.alive;
    const clock = clockOfProcess(this.clock, alive);
    const reportUnreadable: ReportUnreadable = (unreadable) => {
      if (!this.trouble.planted.has(sessionIdOf(unreadable.stream))) allReadable(unreadable);
    };
    // Every second process restores what its views remember.
    const isKnown = this.#lives % 2 === 0;
    // Every fourth process is a node, with an epoch of its own.
    const epoch = this.#lives % 4 === 3 ? this.#lives : undefined;
    const fenced = (_fields: unknown, message: string): void => {
      if (!message.startsWith('another writer has appended')) return;
      this.#fenced += 1;
      this.count('fenced');
    };
    const sessions: Sessions = createSessionCommands({
      store: this.trouble.slowToStart(
        withoutAny(store, (error) => this.#break(error)),
        clock,
      ),
      clock,
      sealer: this.trouble.sealer(this.sealer, alive),
      random: this.#random,
      createTelegramSession: telegram.create,
      node: `life-${this.#lives}`,
      log: {
        ...silentLog,
        warn: (_fields, message) => {
          if (message.startsWith('an append that was given up')) this.count('given up, yet recorded');
        },
        info: fenced,
        error: fenced,
      },
      ownership: { ...soleOwner, epochOf: () => epoch },
      unfinishedErasures: () => new Set([...this.sealer.keys, ...this.sealer.keptLogOuts.keys()]),
      knownEnds: () => (isKnown ? views.ends() : undefined),
      linkStartsPerSecond: 2,
      reportUnreadable,
    });
    const views = createProjectionRunner({
      store,
      clock,
      database: this.#database,
      reportUnreadable,
      onError: (error) => this.#break(error),
      keepsEnds: true,
    });
    views.onShown(({ stream, revision }) => {
      if (views.caughtUp) sessions.foundRecorded(sessionIdOf(stream), revision);
    });
    const life: Life = { alive: true, store, telegram, sessions, views, stopping: false };
    const viewed = views.start();
    void this.#guard(life, viewed);
    void this.#guard(life, isKnown ? viewed.then(() => sessions.start()) : sessions.start());
    return life;
  }

  /** The ID decides: three of four log-outs are answered at once, one of eight when it is tried again, the others never. */
  #answersLogOut(id: string): boolean {
    if (this.witness.state(id) !== 'deleted') return true;
    const kind = Number.parseInt(id.slice(-1), 16) % 8;
    const { keptLogOuts } = this.sealer;
    const isAnswered = kind < 6 || (kind === 6 && keptLogOuts.has(id));
    if (isAnswered) keptLogOuts.delete(id);
    else if (!keptLogOuts.has(id)) keptLogOuts.set(id, this.clock.now() + logOutKeptMs);
    this.count(isAnswered ? 'logged out' : 'log-out not answered');
    return isAnswered;
  }

  #checkView(id: string, views: ProjectionRunner): void {
    const view = views.get(id);
    const expected = this.witness.sessions.get(id)?.view;
    // A projection that starts again, or stops, is behind for a moment; what it shows is then the fold up to there.
    if (!views.caughtUp && view?.revision !== expected?.revision) return;
    if (!isDeepStrictEqual(view, expected)) {
      throw new InvariantError(`${id}: the view is ${view?.state}, its events say ${expected?.state}`);
    }
  }

  async #answered(
    life: Life,
    id: string,
    name: string,
    fact: SessionFactType | undefined,
    answer: Promise<Recorded>,
  ): Promise<void> {
    await this.#guard(
      life,
      answer.then(
        ({ position }) => {
          this.count(`${name} answered`);
          this.witness.acknowledge(id, position, fact);
        },
        (error: unknown) => {
          // Its client knows of no such session, and its key is gone.
          if (this.trouble.createdLate.has(id)) return;
          this.#refused(name, error);
          if (error instanceof SessionNotFoundError && this.witness.state(id) !== 'deleted') {
            throw new InvariantError(`${id} was not found, and is recorded as ${this.witness.state(id)}`);
          }
        },
      ),
    );
  }

  #refused(name: string, error: unknown): void {
    if (
      !refusals.some((known) => error instanceof known) &&
      !(error instanceof Error && error.message === 'not connected')
    )
      throw error;
    this.count(`${name} refused: ${error instanceof Error ? error.name : 'not connected'}`);
  }

  async #guard(life: Life, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (life.alive) this.#break(error);
    }
  }

  #break(error: unknown): void {
    this.#broken ??= error instanceof Error ? error : new Error(String(error));
  }
}
