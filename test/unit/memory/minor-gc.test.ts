import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { setEarlyFreeing } from '../../../src/memory/early-freeing.ts';
import { MinorGc } from '../../../src/memory/minor-gc.ts';

const megabyte = 1024 * 1024;
const { NODE_PERFORMANCE_GC_MINOR: minor, NODE_PERFORMANCE_GC_FLAGS_FORCED: forced } = constants;

/** An entry of type `gc`: https://nodejs.org/docs/latest-v20.x/api/perf_hooks.html#performancenodeentrydetail */
type Collection = PerformanceEntry & { detail: { kind: number; flags: number } };

/** How often young garbage is collected, V8's own collections aside, while 16 MB are noted, a megabyte at a time. */
async function countCollections(): Promise<number> {
  const garbage = new MinorGc();
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ entryTypes: ['gc'] });
  for (let count = 0; count < 16; count += 1) garbage.note(megabyte);
  await nextTurn();
  const collections = observer.takeRecords().map((entry) => (entry as Collection).detail);
  observer.disconnect();
  return collections.filter(({ kind, flags }) => kind === minor && (flags & forced) !== 0).length;
}

afterEach(() => setEarlyFreeing(true));

describe('young garbage', () => {
  it('[speed-up] is collected every 4 MB', async () => {
    expect(await countCollections()).toBe(4);
  });

  it('is left to V8 if EARLY_FREEING is off', async () => {
    setEarlyFreeing(false);
    expect(await countCollections()).toBe(0);
  });
});
