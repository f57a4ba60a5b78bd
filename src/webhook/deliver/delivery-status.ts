import type { OutboxProgress } from '../stream/outbox-progress.ts';
import { countParked } from '../stream/parked.ts';

/** How a webhook is doing. Times in milliseconds since 1970. */
export interface DeliveryStatus {
  pending: number;
  lastDelivered: number | undefined;
  /** Empty if nothing has failed. */
  lastError: string;
  /** When it failed, milliseconds since 1970. */
  lastFailed: number | undefined;
  /** Of a delivery that has failed; undefined if none waits for it. */
  nextAttempt: number | undefined;
  parked: number;
}

/** @param outbox of the webhook, if it is open */
export const statusOf = (
  { lastDelivered, lastError, parked }: Pick<OutboxProgress, 'lastDelivered' | 'lastError' | 'parked'>,
  outbox: { pending: number; nextAttemptAt: number | undefined } | undefined,
): DeliveryStatus => ({
  pending: outbox?.pending ?? 0,
  lastDelivered: lastDelivered?.at,
  lastError: lastError?.message ?? '',
  lastFailed: lastError?.at,
  nextAttempt: outbox?.nextAttemptAt,
  parked: countParked(parked),
});

/** The deliveries that are not made yet. */
export interface Backlog {
  pending: number;
  /** When the oldest pending delivery was recorded, milliseconds since 1970. */
  oldestAt: number | undefined;
}

/** The deliveries of several webhooks together. @param of undefined: it is not known yet */
export function sumBacklog<T>(all: readonly T[], of: (one: T) => Partial<Backlog> | undefined): Backlog {
  let pending = 0;
  let oldestAt = Infinity;
  for (const one of all) {
    const backlog = of(one);
    pending += backlog?.pending ?? 0;
    oldestAt = Math.min(oldestAt, backlog?.oldestAt ?? Infinity);
  }
  return { pending, oldestAt: oldestAt === Infinity ? undefined : oldestAt };
}
