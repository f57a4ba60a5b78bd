import { systemClock } from '../../src/config/clock.ts';
import { createMemoryStore, MemoryDisk } from '../support/memory-store.ts';
import { describeEventStore } from './event-store.ts';

describeEventStore('memory', async () => {
  const disk = new MemoryDisk();
  const open = () => createMemoryStore(systemClock, disk);
  return { store: open(), reopen: async () => open(), dispose: async () => {} };
});
