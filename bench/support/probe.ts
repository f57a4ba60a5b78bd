import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { handleCommands } from './commands.ts';

/** What a process has used since it started. */
export interface Usage {
  /** CPU time of all its threads, user and system, in milliseconds. */
  cpuMs: number;
  /**
   * Resident memory without V8's nursery. The nursery grows from 1 to 32 MB whenever the process is busy, is empty after a
   * collection, and belongs to the process, not to its sessions.
   */
  rssBytes: number;
  heapBytes: number;
  /** Buffers and other memory that objects hold outside of the heap. */
  externalBytes: number;
}

/**
 * `memory` collects all garbage first. `held` also has V8 move together what is left, as it does when memory is short: a
 * collection leaves pages half empty that are not worth that by the speed that V8 has measured, more of them on a busy
 * machine.
 */
export type UsageKind = 'cpu' | 'memory' | 'held';

/** How long threads may take to give back the pages of a collection. */
const returnedMs = 300;

/** Loaded before a measured program (`node --import`): answers its parent's question what it has used. */
handleCommands({
  async usage(kind: UsageKind): Promise<Usage> {
    if (kind !== 'cpu') await collectGarbage();
    if (kind === 'held') await moveTogether();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, external } = process.memoryUsage();
    return {
      cpuMs: (user + system) / 1000,
      rssBytes: rss - nurseryBytes(),
      heapBytes: heapUsed,
      externalBytes: external,
    };
  },
});
process.once('disconnect', () => process.exit(1));

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.physical_space_size ?? 0;
}

/** An object with a finalizer takes more than one collection. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
}

async function moveTogether(): Promise<void> {
  const session = new Session();
  session.connect();
  for (let round = 0; round < 2; round++) {
    await session.post('HeapProfiler.collectGarbage');
    await sleep(returnedMs);
  }
  session.disconnect();
}
