import { isUnreadableError } from '../stream/attempt-errors.ts';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import type { OutboxProgress } from '../stream/outbox-progress.ts';
import { parkedReason } from '../stream/parked.ts';
import { isWantedBy } from '../stream/place-marks.ts';
import { hasSeq } from '../stream/seq-ranges.ts';

export const deliveryStatuses = ['pending', 'parked', 'delivered'] as const;
export type DeliveryStatusName = (typeof deliveryStatuses)[number];

/** What became of a delivery so far. */
export interface DeliveryState {
  status: DeliveryStatusName;
  /** Attempts so far. Of a finished one that took several, as long as it is among the last 500 of its webhook. */
  attempts: number;
  /** Why the last attempt failed; empty if none has failed, or if it was delivered. */
  error: string;
  /** When its chat is tried next, milliseconds since 1970; undefined if it does not wait for a time. */
  nextAt: number | undefined;
}

type Event = Pick<RecordedDelivery, 'type' | 'metadata' | 'revision'>;

/** Undefined if the webhook does not want the event. Pure. @param key of the webhook's place */
export function deliveryState(event: Event, key: string, progress: OutboxProgress): DeliveryState | undefined {
  if (!isWantedBy(event, key)) return undefined;
  const { seq } = event.metadata;
  const { replay } = progress;
  const isReplayed = replay !== undefined && hasSeq(replay.ranges, seq) && event.revision <= replay.end.revision;
  const pending = pendingState(event, progress) ?? (isReplayed ? pendingState(event, replay) : undefined);
  if (pending !== undefined) return pending;
  const error = parkedReason(progress.parked, seq);
  const retried = progress.retried?.find(([other]) => other === seq)?.[1];
  if (error === undefined) return { status: 'delivered', attempts: retried ?? 1, error: '', nextAt: undefined };
  return { status: 'parked', attempts: retried ?? (isUnreadableError(error) ? 0 : 1), error, nextAt: undefined };
}

/** Undefined if it is finished. */
function pendingState(
  { revision, metadata }: Event,
  { upTo, chats }: Pick<OutboxProgress, 'upTo' | 'chats'>,
): DeliveryState | undefined {
  const behind = chats[metadata.chat ?? ''];
  const isBehind = behind !== undefined && behind.from <= revision;
  if (!isBehind && revision <= upTo.revision) return undefined;
  const failing = isBehind ? behind.failing : undefined;
  const isFirst = behind?.from === revision;
  const { attempts = 0, error = '' } = (isFirst ? failing : undefined) ?? {};
  return { status: 'pending', attempts, error, nextAt: failing?.nextAt };
}
