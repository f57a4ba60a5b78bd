import { KeyedQueue } from '../../actors/kit/keyed-queue.ts';
import { soleOwner } from '../../actors/ports/ownership.ts';
import { partitionOf } from '../cluster/partitions.ts';
import type { MediaLinks } from '../media/links/media-link.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { CountUsage } from '../usage/usage-recorder.ts';
import { Dispatcher } from '../webhook/deliver/dispatcher.ts';
import type { DispatcherDeps } from '../webhook/deliver/dispatcher-deps.ts';
import { OperatorWebhooks } from '../webhook/operators/operator-webhooks.ts';
import { createWanted } from '../webhook/places/wanted.ts';
import { ReaderBook } from '../webhook/readers/reader-book.ts';
import { type FollowSessionsDeps, SessionFollower } from '../webhook/record/follow-sessions.ts';
import { createWebhookRecording, type WebhookRecording } from '../webhook/record/record-updates.ts';
import type { ComposeContext } from './context.ts';
import type { Storage } from './storage.ts';

export interface Webhooks {
  /** Records the updates of accounts. */
  recording: WebhookRecording;
  /** Delivers the recorded updates. */
  deliveries: Dispatcher;
  readers: ReaderBook;
  operatorWebhooks: OperatorWebhooks;
  follower: SessionFollower;
  /** Before sessions start: what is recorded from then on has its receivers. */
  load(): Promise<void>;
  /** Saves what is not saved. */
  stop(): Promise<void>;
  /** As a killed process. */
  crash(): void;
}

interface WebhooksDeps
  extends Pick<Storage, 'store' | 'vault' | 'views' | 'keys' | 'operatorWebhookBook' | 'ownership'> {
  outbound: Outbound;
  mediaLinks: MediaLinks;
  usage: CountUsage;
  /** An endpoint answered that it is gone. */
  endpointGone: (sessionId: string, slot: number) => Promise<void>;
}

export function createWebhooks(
  { clock, randomness, log, unreadable }: ComposeContext,
  { store, vault, views, usage, keys, ownership, operatorWebhookBook: book, ...delivering }: WebhooksDeps,
): Webhooks {
  const reportUnreadable = unreadable.report;
  const common = {
    store,
    ownership,
    partitionOf: ownership === soleOwner ? undefined : partitionOf,
    sealer: vault,
    clock,
    random: randomness,
    log,
    reportUnreadable,
  };
  const onCounted: DispatcherDeps['onCounted'] = (sessionId, count) =>
    usage.count(sessionId, undefined, count === 'failed' ? 'notDelivered' : count);
  const deliveries = new Dispatcher({ ...common, ...delivering, views, onCounted });
  const readers = new ReaderBook({ ...common, views });
  const recorded: Pick<FollowSessionsDeps, 'wanted' | 'writes' | 'onRecorded'> = {
    wanted: createWanted({ views, sealer: vault, readers: (sessionId) => readers.of(sessionId) }),
    writes: new KeyedQueue(),
    onRecorded(sessionId, events) {
      deliveries.recorded(sessionId, events);
      readers.recorded(sessionId, events);
    },
  };
  const recording = createWebhookRecording({ ...common, ...recorded, live: readers });
  const { outbound } = delivering;
  const operatorWebhooks = new OperatorWebhooks({ ...common, book, keys, views, outbound });
  const follower = new SessionFollower({
    ...common,
    ...recorded,
    views,
    onOwnRecorded: (sessionId) => recording.ownRecorded(sessionId),
  });
  return {
    recording,
    deliveries,
    readers,
    operatorWebhooks,
    follower,
    async load() {
      await readers.load();
      await follower.start();
      await operatorWebhooks.start();
    },
    async stop() {
      await follower.stop();
      await Promise.all([deliveries.stop(), readers.stop(), operatorWebhooks.stop()]);
    },
    crash() {
      for (const part of [follower, deliveries, readers, operatorWebhooks]) part.crash();
    },
  };
}
