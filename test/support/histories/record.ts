import { saveHistory } from './history-files.ts';
import { liveThroughAll } from './live.ts';
import { readHistory } from './read-history.ts';
import { todaysShapes } from './shapes.ts';

/**
 * `npm run histories -- v0.2.0`: records what today's code writes, for the tests of later versions. Run it once for each
 * release; it refuses to write a version again.
 */
const [version] = process.argv.slice(2);
if (version === undefined || !/^v\d+\.\d+\.\d+$/.test(version)) throw new Error('which version? For example v0.2.0');
const world = await liveThroughAll();
const { store, disk } = world;
const result = await readHistory(store);
await world.end();
saveHistory(version, disk.log, result, todaysShapes());
