import { getHeapSpaceStatistics } from 'node:v8';

/** What a process has used so far. Memory is what is left after a collection of all garbage. */
export interface Usage {
  /** Milliseconds of all its threads, in the kernel and outside. */
  cpuMs: number;
  /**
   * Resident, without V8's nursery: that room grows from 1 to 32 MB in any busy moment, is empty after a collection, and
   * belongs to the process, however many sessions it has.
   */
  rssBytes: number;
  heapBytes: number;
  /** Buffers, and what else objects hold outside of the heap. */
  externalBytes: number;
}

export interface Question {
  number: number;
  what: 'cpu' | 'memory';
}

/** Loaded before a program that is measured (`node --import`): tells its parent what it has used, when asked. */
process.on('message', (question: Question) => {
  void answer(question).then((usage) => process.send?.({ number: question.number, usage }));
});
process.once('disconnect', () => process.exit(1));

async function answer({ what }: Question): Promise<Usage> {
  if (what === 'memory') await collectGarbage();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    cpuMs: (user + system) / 1000,
    rssBytes: rss - nurseryBytes(),
    heapBytes: heapUsed,
    externalBytes: external,
  };
}

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.physical_space_size ?? 0;
}

/** What has a finalizer takes more than one round. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
}
