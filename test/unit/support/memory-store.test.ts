import { systemClock } from '../../../src/config/clock.ts';
import { describeEventStore } from '../../support/store/contract/event-store.ts';
import { createMemoryStore, MemoryDisk } from '../../support/store/memory-store.ts';

describeEventStore('memory', async () => {
  const disk = new MemoryDisk();
  const open = () => createMemoryStore(systemClock, disk);
  return {
    store: open(),
    reopen: async () => open(),
    plant: (stream, event) => disk.plant(stream, event),
    dispose: async () => {},
  };
});
