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

/** `memory` collects all garbage first. */
export type UsageKind = 'cpu' | 'memory';

/** Loaded before a measured program (`node --import`): answers its parent's question what it has used. */
handleCommands({
  async usage(kind: UsageKind): Promise<Usage> {
    if (kind === 'memory') await collectGarbage();
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
