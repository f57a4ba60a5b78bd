import type { Clock } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { layerOver } from '../store/layer-over.ts';
import { InvariantError } from './model.ts';

/** The clock as a process has it: its timers do nothing once it has died. */
export const clockOfProcess = (clock: Clock, alive: () => boolean): Clock => ({
  now: () => clock.now(),
  elapsed: () => clock.elapsed(),
  setTimeout: (callback, delayMs) =>
    clock.setTimeout(() => {
      if (alive()) callback();
    }, delayMs),
  clearTimeout: (handle) => clock.clearTimeout(handle),
});

/** A repeated append that expects "any" may be recorded twice: the write model must make none. */
export const withoutAny = (store: EventStore, onBroken: (error: unknown) => void): EventStore =>
  layerOver(store, {
    append: (stream, expected, events) => {
      if (expected === 'any') onBroken(new InvariantError(`an append to ${stream} expects any revision`));
      return store.append(stream, expected, events);
    },
  });
