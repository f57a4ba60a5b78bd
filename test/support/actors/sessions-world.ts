import { expect } from 'vitest';
import type { Unreadable } from '../../../actors/ports/event-codec.ts';
import { type EventStore, type RecordedEvent } from '../../../actors/ports/event-store.ts';
import { silentLog } from '../../../actors/ports/log.ts';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import type { SessionCommandsDeps } from '../../../actors/runtime/session-supervisor-deps.ts';
import { type Sessions } from '../../../actors/runtime/sessions.ts';
import type { TransitionMetadata } from '../../../actors/session/events.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { createFaultyStore, type Fault, type FaultyStore } from '../store/faulty-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createPlainSealer, type PlainSealer } from './plain-sealer.ts';
import { createScriptedLinks, linkFact, type ScriptedLinks } from './scripted-link.ts';

export const minuteMs = 60_000;

export interface World {
  clock: DrivenClock;
  below: EventStore;
  store: FaultyStore;
  faults: (Fault | undefined)[];
  sealer: PlainSealer;
  links: ScriptedLinks;
  sessions: Sessions;
  /** What was reported as unreadable. */
  unreadable: Unreadable[];
  /** What was logged as an error. */
  errors: string[];
  /** The next process over the same store. */
  restart(options?: Partial<SessionCommandsDeps>): Promise<World>;
}

export async function createWorld(): Promise<World> {
  const clock = createDrivenClock();
  const world = openWorld(clock, createMemoryStore(clock), createPlainSealer(), 1, {});
  await world.sessions.start();
  return world;
}

export function openWorld(
  clock: DrivenClock,
  below: EventStore,
  sealer: PlainSealer,
  run: number,
  options: Partial<SessionCommandsDeps>,
): World {
  const faults: (Fault | undefined)[] = [];
  const store = createFaultyStore(below, () => faults.shift());
  const links = createScriptedLinks();
  const unreadable: Unreadable[] = [];
  const errors: string[] = [];
  const sessions = createSessionCommands({
    store,
    sealer,
    clock,
    random: createSeededRandomness(run, clock),
    createTelegramSession: links.create,
    node: `run-${run}`,
    reportUnreadable: (event) => unreadable.push(event),
    log: { ...silentLog, error: (_fields, message) => errors.push(message) },
    unfinishedErasures: async function* unfinished() {
      yield* new Set([...sealer.keys, ...sealer.keptLogOuts.keys()]);
    },
    ...options,
  });
  return {
    clock,
    below,
    store,
    faults,
    sealer,
    links,
    sessions,
    unreadable,
    errors,
    async restart(changed = {}) {
      store.crash();
      const next = openWorld(clock, below, sealer, run + 1, changed);
      await next.sessions.start();
      await clock.settle();
      return next;
    },
  };
}

export async function eventsOf({ below }: World, id: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of below.read(`session-${id}`)) events.push(event);
  return events;
}

export const deadlinesOf = (event: RecordedEvent | undefined): unknown =>
  (event?.metadata as TransitionMetadata | undefined)?.deadlines;
export const typesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ type }) => type);

/** A session in a state, by the way a life takes. */
export async function sessionIn(state: string, world: World): Promise<string> {
  const { id } = await world.sessions.create({});
  const report = (type: Parameters<typeof linkFact>[0]): Promise<void> => world.links.of(id).report(linkFact(type, 1));
  if (state === 'passwordRequired') await report('PasswordRequested');
  if (state === 'connected' || state === 'disconnected') await report('LoggedIn');
  if (state === 'disconnected') await report('ConnectionLost');
  expect(world.sessions.state(id)).toBe(state);
  return id;
}

export const liveStates = ['qrPending', 'passwordRequired', 'connected', 'disconnected'];
export const away = (kind: 'fails-before' | 'fails-after'): Fault[] => Array.from({ length: 5 }, () => ({ kind }));
