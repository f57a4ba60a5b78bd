import type { Clock, Randomness } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { Ownership } from '../ports/ownership.ts';
import type { Effect } from '../session/events.ts';
import type { Lifecycle } from '../session/lifecycle.ts';
import type { TraceFact } from './mailbox-job.ts';

/** The actor of a session, as its surroundings tell it from others. */
interface Actor {
  readonly id: string;
}

/** What all actors share. */
export interface SessionActorDeps {
  /** The chart: it alone decides what a fact does in a state. */
  lifecycle: Lifecycle;
  store: EventStore;
  clock: Clock;
  random: Randomness;
  /** Name of this process, recorded with every event. */
  node: string;
  ownership: Ownership;
  log: Log;
  /** Runs recorded effects. `paced` ones wait for their turn among those of all sessions: a start has thousands. */
  perform(actor: Actor, effects: readonly Effect[], paced: boolean): void;
  /** The recorded proxy has changed. */
  onProxySet(actor: Actor): void;
  /** Another writer appended to the stream. The actor has stopped for good. */
  onFenced(actor: Actor): void;
  /** The first event of a new session was not recorded and never will be. */
  onNeverRecorded(actor: Actor): void;
  watch?: TraceFact | undefined;
}
