import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import { type SessionFact, sessionIdOf } from '../../../actors/session/events.ts';
import { sessionLifecycle } from '../../../actors/session/lifecycle.ts';
import { sessionEvent, transitionMetadata } from '../../../actors/session/transition-event.ts';
import type { Fault } from '../store/faulty-store.ts';
import { layerOver } from '../store/layer-over.ts';
import type { Chance } from './chance.ts';
import { metadataOf, type Witness } from './model.ts';
import type { Variant } from './variant.ts';

/** What goes wrong with the store and the keys, by chance. */
export class Trouble {
  /** The store answers nothing: `deaf` records nothing either, `mute` does so now and then. */
  outage: 'deaf' | 'mute' | undefined;
  /** Faults are over. */
  calm = false;
  /** How often a session's stream got an event that its actor did not write, or did not know that it had written. */
  surprises = 0;
  /** Sessions whose creation reaches the store when it has been given up: their key is gone by then. */
  readonly createdLate = new Set<string>();
  /** Sessions in whose stream an event is planted that nobody can read. */
  readonly planted = new Set<string>();
  readonly #chance: Chance;
  readonly #witness: Witness;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Pick<Randomness, 'uuid'>;
  readonly #variant: Variant;

  constructor(
    variant: Variant,
    chance: Chance,
    witness: Witness,
    clock: Pick<Clock, 'now'>,
    random: Pick<Randomness, 'uuid'>,
  ) {
    this.#variant = variant;
    this.#chance = chance;
    this.#witness = witness;
    this.#clock = clock;
    this.#random = random;
  }

  /** What is to happen to an append. */
  faultOf(stream: string): Fault | undefined {
    if (this.calm) return undefined;
    if (this.outage !== undefined) {
      return { kind: this.outage === 'deaf' || this.#chance.percent(70) ? 'fails-before' : 'fails-after' };
    }
    if (this.#variant !== 'usual' && this.#chance.percent(5)) {
      if (this.#variant === 'late commits') return this.#late(stream);
      if (this.#variant !== 'clock steps') return this.#conflict(stream);
    }
    if (this.#chance.percent(90)) return undefined;
    const kind = this.#chance.oneOf([
      'fails-before',
      'fails-after',
      'slow-before',
      'slow-before',
      'slow-after',
      'conflict',
    ] as const);
    return kind === 'conflict' ? this.#conflict(stream) : { kind };
  }

  #late(stream: string): Fault {
    const id = sessionIdOf(stream);
    if (this.#witness.last(id) === undefined) this.createdLate.add(id);
    this.surprises += 1;
    return { kind: 'commits-late' };
  }

  #conflict(stream: string): Fault | undefined {
    if (this.#witness.unreadable.has(sessionIdOf(stream))) return undefined;
    const rival = this.#variant === 'unreadable events' ? this.#unreadable(stream) : this.#rival(stream);
    if (rival === undefined) return undefined;
    this.surprises += 1;
    return { kind: 'conflict', rival };
  }

  /** What a later version would have written. */
  #unreadable(stream: string): NewEvent | undefined {
    const last = this.#witness.last(sessionIdOf(stream));
    if (last !== undefined) this.planted.add(sessionIdOf(stream));
    return last && { id: this.#random.uuid(), type: 'SomethingNewer', data: {}, metadata: last.metadata };
  }

  /** What another node would have written at this moment. */
  #rival(stream: string): NewEvent | undefined {
    const last = this.#witness.last(sessionIdOf(stream));
    if (last === undefined) return undefined;
    const before = metadataOf(last);
    const { login } = before.context;
    const fact = this.#chance.oneOf<SessionFact>([
      { type: 'WebhookSet', webhook: null },
      { type: 'ConnectionLost', login, reason: 'unreachable' },
      { type: 'SessionReset' },
      { type: 'SessionDeleted' },
    ]);
    const step = sessionLifecycle.nextStep(before.to, before.context, fact);
    if (step === undefined) return undefined;
    const circumstances = { at: this.#clock.now(), by: 'rival' };
    return sessionEvent(this.#random.uuid(), fact, transitionMetadata(before, fact, step, circumstances));
  }

  /** The keys of a process that may die, away now and then while the store is. */
  sealer(sealer: Sealer, alive: () => boolean): Sealer {
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
      if (!alive()) return await new Promise<never>(() => {});
      if (this.outage !== undefined && this.#chance.percent(30))
        throw new StoreUnavailableError('no answer from the keys');
      return await work();
    };
    return {
      createKey: (id) => guarded(() => sealer.createKey(id)),
      seal: (id, context, text) => guarded(() => sealer.seal(id, context, text)),
      open: (id, sealed) => guarded(() => sealer.open(id, sealed)),
      openCached: (id, sealed) => (alive() ? sealer.openCached(id, sealed) : undefined),
      destroyKey: (id, proxy) => guarded(() => sealer.destroyKey(id, proxy)),
      giveUpLogOut: (id) => guarded(() => sealer.giveUpLogOut(id)),
    };
  }

  /** A store that takes its time to say what it has, while life goes on. */
  slowToStart(store: EventStore, clock: Clock): EventStore {
    const chance = this.#chance;
    return layerOver(store, {
      async *lastOfEach(prefix) {
        for await (const event of store.lastOfEach(prefix)) {
          const delayMs = chance.between(-200, 300);
          if (delayMs > 0) await new Promise<void>((resolve) => void clock.setTimeout(resolve, delayMs));
          yield event;
        }
      },
    });
  }
}
