import { type EventStore, type RecordedEvent } from '../../../actors/ports/event-store.ts';
import { silentLog } from '../../../actors/ports/log.ts';
import { soleOwner } from '../../../actors/ports/ownership.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import { SessionActor } from '../../../actors/runtime/session-actor.ts';
import type { SessionActorDeps } from '../../../actors/runtime/session-actor-deps.ts';
import type { SessionFact, TransitionMetadata } from '../../../actors/session/events.ts';
import { sessionLifecycle } from '../../../actors/session/lifecycle.ts';
import { restore } from '../../../actors/session/restore.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { createFaultyStore, type Fault, type FaultyStore } from '../store/faulty-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { readSessionEvent } from './read-session-event.ts';

export const id = '0190a000-0000-7000-8000-000000000001';
export const stream = `session-${id}`;
export const minuteMs = 60_000;
export const sealed = 'sealed' as Sealed;

export const created = { type: 'SessionCreated', secretHash: '00' } satisfies SessionFact;
export const loggedIn = { type: 'LoggedIn', login: 1, account: sealed, picture: sealed } satisfies SessionFact;
export const lost = { type: 'ConnectionLost', login: 1, reason: 'unreachable' } satisfies SessionFact;
export const deleted = { type: 'SessionDeleted' } satisfies SessionFact;

export interface World {
  clock: DrivenClock;
  store: FaultyStore;
  below: EventStore;
  /** The faults of the next appends, one after the other. */
  faults: (Fault | undefined)[];
  /** What the actors had done, and what became of them. */
  seen: string[];
  around: SessionActorDeps;
}

export function createWorld(): World {
  const clock = createDrivenClock();
  const below = createMemoryStore(clock);
  const faults: (Fault | undefined)[] = [];
  const store = createFaultyStore(below, () => faults.shift());
  const seen: string[] = [];
  const around: SessionActorDeps = {
    lifecycle: sessionLifecycle,
    store,
    clock,
    random: createSeededRandomness(1, clock),
    node: 'node-1',
    ownership: soleOwner,
    log: silentLog,
    perform: (_actor, effects, paced) => {
      for (const { type, login } of effects) seen.push(`${paced ? 'paced ' : ''}${type} ${login}`);
    },
    onProxySet: () => void seen.push('proxy set'),
    onFenced: () => void seen.push('fenced'),
    onNeverRecorded: () => void seen.push('never recorded'),
  };
  return { clock, store, below, faults, seen, around };
}

/** The events of a session, in order. */
export async function recorded({ below }: World, name = stream): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of below.read(name)) events.push(event);
  return events;
}

export const typesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ type }) => type);
export const metadataOf = (event: RecordedEvent | undefined): TransitionMetadata =>
  event?.metadata as unknown as TransitionMetadata;

export async function createActor(world: World, ...facts: SessionFact[]): Promise<SessionActor> {
  const actor = new SessionActor(id, world.around);
  for (const fact of [created, ...facts]) await actor.send(fact);
  return actor;
}

/** The next process: it knows nothing but the store. */
export async function restart(world: World): Promise<SessionActor> {
  const last = await world.below.last(stream);
  if (last === undefined) throw new Error('nothing is stored');
  return new SessionActor(id, world.around, restore(readSessionEvent(last)));
}

/** All tries of one append fail. */
export const away = (kind: 'fails-before' | 'fails-after'): Fault[] => Array.from({ length: 5 }, () => ({ kind }));
