// A process that appends until it is killed or cannot, and says on its standard output what was acknowledged.
// Arguments: the file, and how many streams it writes at the same time.
import { writeSync } from 'node:fs';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';

const [file = '', streams = '1'] = process.argv.slice(2);
const store = openSqliteStore({ file, clock: systemClock });

/** Ends when the disk takes no more. */
async function write(stream: string): Promise<void> {
  for (;;) {
    const events = Array.from({ length: 3 }, () => ({
      id: systemRandomness.uuid(),
      type: 'Written',
      data: { text: 'x'.repeat(300) },
      metadata: {},
    }));
    try {
      const { revision } = await store.append(stream, 'any', events);
      writeSync(1, `${stream} ${revision} ${events.map(({ id }) => id).join(' ')}\n`);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      writeSync(1, `failed ${error.message}\n`);
      return;
    }
  }
}

await Promise.all(Array.from({ length: Number(streams) }, (_, index) => write(`stream-${index}`)));
const last = await store.last('stream-0');
writeSync(1, `still reads ${last?.revision}\n`);
await store.close();
