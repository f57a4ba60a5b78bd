import { sleep } from '../../../actors/kit/sleep.ts';
import { TimeoutError, withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';

export interface AsTheyFinishDeps<T> {
  clock: Clock;
  /** An item that has not finished after this time is released all the same, in milliseconds. */
  maxMs: number;
  /** Those that finish within this time are released together, in milliseconds. */
  gatherMs: number;
  /** @returns resolves when nothing is under way; undefined: nothing is */
  finish: (item: T) => Promise<void> | undefined;
  release: (items: readonly T[]) => Promise<void>;
}

/** Releases at once what has nothing under way, and each of the others when it has finished, or after `maxMs`. */
export async function releaseAsTheyFinish<T>(
  { clock, maxMs, gatherMs, finish, release }: AsTheyFinishDeps<T>,
  items: readonly T[],
): Promise<void> {
  const late = (): Error => new TimeoutError('it has not finished in time');
  const idle: T[] = [];
  const releasing: Promise<void>[] = [];
  let gathered: T[] = [];
  const releaseGathered = async (): Promise<void> => {
    await sleep(clock, gatherMs);
    const together = gathered;
    gathered = [];
    await release(together);
  };
  const afterwards = async (item: T, finishing: Promise<void>): Promise<void> => {
    await withTimeout(clock, maxMs, late, () => finishing).catch(() => {});
    gathered.push(item);
    if (gathered.length === 1) releasing.push(releaseGathered());
  };
  const finishing: Promise<void>[] = [];
  for (const item of items) {
    const ended = finish(item);
    if (ended === undefined) idle.push(item);
    else finishing.push(afterwards(item, ended));
  }
  if (idle.length > 0) releasing.push(release(idle));
  await Promise.all(finishing);
  await Promise.all(releasing);
}
