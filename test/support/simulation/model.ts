import { isDeepStrictEqual } from 'node:util';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import {
  type SessionFactType,
  type SessionState,
  sessionIdOf,
  type TransitionMetadata,
} from '../../../actors/session/events.ts';
import { replay } from '../../../actors/session/replay.ts';
import { evolveSessionView } from '../../../projections/evolve-session-view.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { legalTransitions, timeLimits } from '../actors/legal-transitions.ts';
import { readSessionEvent } from '../actors/read-session-event.ts';
import { layerOver } from '../store/layer-over.ts';

interface Seen {
  events: RecordedEvent[];
  /** Folded from the events, beside the projection. */
  view: SessionView;
  /** Revision of the last command that was answered. */
  acknowledged: number;
  /** Revision of the earliest event that the last instruction to a link can have come from. */
  told: number;
}

export class InvariantError extends Error {
  override name = 'InvariantError';
}

interface WitnessOptions {
  now: () => number;
  /** Whether the wall clock is set now and then: what is recorded late may then be from the future. */
  clockSteps: boolean;
  count: (name: string) => void;
  /** Gets each violation. The code under test would take one that is thrown for an error of the store. */
  onBroken: (error: unknown) => void;
}

const prefix = 'session-';
export const metadataOf = (event: RecordedEvent): TransitionMetadata => event.metadata as unknown as TransitionMetadata;

/** Sees every event at the moment it is recorded, and knows what must be true of it. */
export class Witness {
  readonly sessions = new Map<string, Seen>();
  /** `connected ConnectionLost`: how often each was recorded. */
  readonly edges = new Map<string, number>();
  /** Sessions with an event that nobody can read, at its end. */
  readonly unreadable = new Set<string>();
  /** Sessions that got events since the last look. */
  readonly changed = new Set<string>();
  readonly #options: WitnessOptions;

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /** The store, watched. */
  watch(store: EventStore): EventStore {
    return layerOver(store, {
      append: async (stream, expected, events) => {
        const appended = await store.append(stream, expected, events);
        const first = appended.revision - events.length + 1;
        events.forEach((event, index) => {
          const placed = { stream, revision: first + index, position: appended.position, created: this.#options.now() };
          try {
            this.#see({ ...structuredClone(event), ...placed });
          } catch (error) {
            this.#options.onBroken(error);
          }
        });
        return appended;
      },
    });
  }

  last(id: string): RecordedEvent | undefined {
    return this.sessions.get(id)?.events.at(-1);
  }

  /** The state as recorded last. */
  state(id: string): SessionState | undefined {
    const last = this.last(id);
    return last && metadataOf(last).to;
  }

  /** A command was answered: its event must be there, and stay. */
  acknowledge(id: string, position: bigint, type: SessionFactType | undefined): void {
    const seen = this.sessions.get(id);
    const event = seen?.events.find((candidate) => candidate.position === position);
    if (seen === undefined || event === undefined) throw new InvariantError(`${id}: an answer without a record`);
    if (type !== undefined && event.type !== type) {
      throw new InvariantError(`${id}: ${type} was answered with the record of ${event.type}`);
    }
    seen.acknowledged = Math.max(seen.acknowledged, event.revision);
  }

  /** What is shown must be recorded, and not be older than what was answered. */
  shown(id: string, state: SessionState): void {
    const seen = this.sessions.get(id);
    const possible = seen?.events.slice(seen.acknowledged) ?? [];
    if (!possible.some((event) => metadataOf(event).to === state)) {
      throw new InvariantError(`${id}: ${state} is shown, ${possible.map(({ type }) => type).join(', ')} is recorded`);
    }
  }

  /** An instruction to a link must follow from what is recorded, and never from something older than the last one. */
  told(id: string, instruction: string, login: number): void {
    const seen = this.sessions.get(id);
    // A creation that was never recorded leaves a key to destroy, and a link to find nothing with.
    if (seen === undefined && instruction === 'logOut') return;
    const grounds = seen?.events.slice(seen.told).find((event) => {
      const { to, context } = metadataOf(event);
      if (instruction === 'keepLogin') return event.type === 'LoginImported' && context.login === login;
      if (instruction === 'useProxy') return event.type === 'ProxySet';
      if (instruction === 'dropLogin') return event.type === 'LoginExported';
      if (instruction === 'logOut') return event.type === 'SessionReset' || to === 'deleted';
      return context.login === login && to === states[instruction];
    });
    if (seen === undefined || grounds === undefined) {
      throw new InvariantError(`${id}: told to ${instruction} ${login} without a record`);
    }
    // What waits for its turn among the sessions of a start comes after it all the same.
    if (instruction !== 'useProxy') seen.told = grounds.revision;
  }

  /** Replays every session from its first fact, and folds its view again. */
  async replayAll(): Promise<void> {
    for (const [id, { events, view }] of this.sessions) {
      const { drift } = await replay(events);
      if (drift.length > 0) throw new InvariantError(`${id}: ${JSON.stringify(drift)}`);
      const folded = events.reduce<SessionView | undefined>(
        (before, event) => evolveSessionView(before, readSessionEvent(event)),
        undefined,
      );
      if (!isDeepStrictEqual(folded, view)) throw new InvariantError(`${id}: the view is not what its events say`);
    }
  }

  #see(event: RecordedEvent): void {
    if (!event.stream.startsWith(prefix)) return;
    const id = sessionIdOf(event.stream);
    const seen = this.sessions.get(id);
    // A retry is answered with the record that is there already.
    if (seen?.events.some((other) => other.id === event.id) === true) return;
    if (this.unreadable.has(id))
      throw new InvariantError(`${id}: ${event.type} was recorded behind an unreadable event`);
    if (event.type === 'SomethingNewer') {
      this.unreadable.add(id);
      return;
    }
    this.#check(id, seen?.events.at(-1), event);
    const events = [...(seen?.events ?? []), event];
    const view = evolveSessionView(seen?.view, readSessionEvent(event));
    this.sessions.set(id, { events, view, acknowledged: seen?.acknowledged ?? 0, told: seen?.told ?? 0 });
    this.changed.add(id);
    this.#checkView(view);
  }

  #check(id: string, before: RecordedEvent | undefined, event: RecordedEvent): void {
    const type = event.type as SessionFactType;
    const was = before && metadataOf(before);
    const now = metadataOf(event);
    const fail = (what: string): never => {
      throw new InvariantError(`${id} at ${event.revision}: ${type} ${what}`);
    };
    const edge = `${was?.to ?? 'none'} ${type}`;
    this.edges.set(edge, (this.edges.get(edge) ?? 0) + 1);
    if (event.revision !== (before?.revision ?? -1) + 1) fail('leaves a gap');
    if (now.from !== (was?.to ?? null)) fail(`says it comes from ${now.from}, not from ${was?.to}`);
    const legal =
      was === undefined ? (type === 'SessionCreated' ? 'qrPending' : undefined) : legalTransitions[was.to][type];
    const entered = legal !== '=';
    if (legal === undefined || now.to !== (legal === '=' ? was?.to : legal)) fail(`leads from ${was?.to} to ${now.to}`);
    const login = (was?.context.login ?? 0) + (entered && now.to === 'qrPending' ? 1 : 0);
    if (now.context.login !== login) fail(`makes login ${now.context.login} of ${was?.context.login}`);
    const about = (event.data as { login?: number }).login;
    if (about !== undefined && about !== was?.context.login) fail(`is about login ${about}`);
    if (entered && now.since !== now.at) fail('was not entered now');
    if (!entered && now.since !== was?.since) fail('moves the time of entry');
    const limit = timeLimits[now.to];
    const due = entered ? now.at + (limit?.ms ?? 0) : was?.deadlines[0]?.dueAt;
    const expected = limit === undefined ? [] : [{ fact: limit.fact, dueAt: due }];
    if (!isDeepStrictEqual(now.deadlines, expected)) fail(`has deadlines ${JSON.stringify(now.deadlines)}`);
    const passed = was?.deadlines.find(({ fact }) => fact === type);
    if (passed !== undefined && now.at < passed.dueAt) fail('comes early');
    if (passed !== undefined && this.#options.now() > passed.dueAt) this.#options.count('late deadline');
    if (now.at > this.#options.now() && !this.#options.clockSteps) fail('comes from the future');
  }

  /** One state, from which everything follows (SE12). */
  #checkView({ id, state, qrLink, codeSentTo, passwordHint, deadline }: SessionView): void {
    if ((codeSentTo !== undefined) !== (state === 'codeRequired'))
      throw new InvariantError(`${id}: a code in ${state}`);
    if (qrLink !== undefined && state !== 'qrPending') throw new InvariantError(`${id}: a QR in ${state}`);
    if (passwordHint !== undefined && state !== 'passwordRequired')
      throw new InvariantError(`${id}: a hint in ${state}`);
    if ((deadline !== undefined) !== Object.hasOwn(timeLimits, state))
      throw new InvariantError(`${id}: a deadline in ${state}`);
  }
}

const states: Record<string, SessionState> = {
  startQrLogin: 'qrPending',
  awaitCode: 'codeRequired',
  awaitPassword: 'passwordRequired',
  connect: 'disconnected',
};
