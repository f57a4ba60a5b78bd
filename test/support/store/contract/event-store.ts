import { afterAll, beforeAll, describe } from 'vitest';
import type { EventStore } from '../../../../actors/ports/event-store.ts';
import type { PlantedEvent } from '../plant-event.ts';
import { appendingRules } from './appending.ts';
import { closingRules } from './closing.ts';
import { damageRules } from './damage.ts';
import { interleavingRules } from './interleaving.ts';
import { readingRules } from './reading.ts';
import { removingRules } from './removing.ts';
import { repeatingRules } from './repeating.ts';
import { subscribingRules } from './subscribing.ts';

export interface OpenedStore {
  store: EventStore;
  /** Opens the same data again, after the store has been closed. */
  reopen: () => Promise<EventStore>;
  /** Appends an event past the store, its texts as they are. */
  plant: (stream: string, event: PlantedEvent) => void | Promise<void>;
  /** Removes everything; the store may be open or closed. */
  dispose: () => Promise<void>;
}

/** What a store may leave out, because what it stands on cannot do it. */
export interface StoreLimits {
  /** An event ID that was used elsewhere is accepted. */
  acceptsReusedIds?: boolean;
  /** A repeated append that expects "any" may be recorded a second time. */
  forgetsRepeats?: boolean;
  /** What was removed stays visible in the order of the whole store for a while. */
  removesFromAllLater?: boolean;
}

/** What the rules get: the store that they share, and ways to a fresh one. */
export interface StoreUnderTest {
  /** Shared by the rules of a suite: each uses names of its own. */
  store: EventStore;
  plant: OpenedStore['plant'];
  /** One that a rule may close. */
  open: () => Promise<OpenedStore>;
  limits: StoreLimits;
}

/** The rules that every adapter of the event store must pass. */
export function describeEventStore(name: string, open: () => Promise<OpenedStore>, limits: StoreLimits = {}): void {
  describe(`event store: ${name}`, () => {
    let opened: OpenedStore;
    const subject: StoreUnderTest = {
      get store() {
        return opened.store;
      },
      plant: (stream, event) => opened.plant(stream, event),
      open,
      limits,
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened.store.close();
      await opened.dispose();
    });
    appendingRules(subject);
    repeatingRules(subject);
    readingRules(subject);
    damageRules(subject);
    subscribingRules(subject);
    removingRules(subject);
    closingRules(subject);
    interleavingRules(subject);
  });
}
