import { wrapStore } from '../../../../actors/ports/wrap-store.ts';
import { systemClock } from '../../../../src/config/clock.ts';
import { describeEventStore } from '../../../support/store/contract/event-store.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

describeEventStore('wrapped', async () => {
  const disk = new MemoryDisk();
  const open = () => {
    const store = createMemoryStore(systemClock, disk);
    return wrapStore(store, (stream, expected, events) => store.append(stream, expected, events));
  };
  return {
    store: open(),
    reopen: async () => open(),
    plant: (stream, event) => disk.plant(stream, event),
    dispose: async () => {},
  };
});
