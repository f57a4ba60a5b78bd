import { systemClock } from '../../src/clock.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeEventStore } from './event-store.ts';

describeEventStore('memory', async () => ({ store: createMemoryStore(systemClock), dispose: async () => {} }));
