import type { Clock } from '../../../actors/ports/clock.ts';

/** OP2: how long attempts in flight may take when the service ends, which has 10 s in all. */
export const stopMs = 3_000;
/** How long they may take before another process makes them again, with the same IDs. */
export const releaseMs = 300;

/**
 * Ends outboxes. Their attempts in flight may end first, but no later than after `maxMs`.
 * @param end resolves when none of the outboxes does anything more
 */
export async function endAttempts(
  clock: Clock,
  maxMs: number,
  outboxes: readonly ({ cut(): void } | undefined)[],
  end: () => Promise<unknown>,
): Promise<void> {
  const timer = clock.setTimeout(() => {
    for (const outbox of outboxes) outbox?.cut();
  }, maxMs);
  await end();
  clock.clearTimeout(timer);
}
