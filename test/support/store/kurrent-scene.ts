import { onTestFinished } from 'vitest';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { type KurrentStore, openKurrentStore } from '../../../src/store/events/kurrent/kurrent-store.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { whileTimePasses } from '../kit/passing-time.ts';
import { KurrentDbDouble } from '../kurrentdb-double/server.ts';

/** What a store on a KurrentDB server says in its log. */
interface Said {
  level: 'info' | 'warn';
  message: string;
}

/** A KurrentDB server, and stores on it whose time is driven; gone when the test has ended. */
export interface KurrentScene {
  clock: DrivenClock;
  server: KurrentDbDouble;
  openStore: (url?: string) => { store: KurrentStore; said: Said[] };
  /** As the owner of a stream does it: the same events again, for as long as the store is away. */
  appendInTheEnd: (store: EventStore, stream: string, events: readonly NewEvent[]) => Promise<void>;
}

const ownersPauseMs = 30_000;

export async function openKurrentScene(): Promise<KurrentScene> {
  const clock = createDrivenClock();
  const server = await new KurrentDbDouble().start();
  onTestFinished(() => server.stop());
  return {
    clock,
    server,
    openStore(url = server.url) {
      const said: Said[] = [];
      const log = {
        info: (_: object, message: string) => said.push({ level: 'info', message }),
        warn: (_: object, message: string) => said.push({ level: 'warn', message }),
        error: () => {},
      };
      const store = openKurrentStore({ url, clock, randomness: createSeededRandomness(1, clock), log });
      onTestFinished(() => whileTimePasses(clock, store.close()));
      return { store, said };
    },
    async appendInTheEnd(store, stream, events) {
      for (const [index, event] of events.entries()) {
        for (let isRecorded = false; !isRecorded; ) {
          try {
            await store.append(stream, index === 0 ? 'no-stream' : index - 1, [event]);
            isRecorded = true;
          } catch (error) {
            if (!(error instanceof StoreUnavailableError)) throw error;
            await new Promise<void>((resolve) => {
              clock.setTimeout(resolve, ownersPauseMs);
            });
          }
        }
      }
    },
  };
}
