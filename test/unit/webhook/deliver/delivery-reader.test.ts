import { expect, it } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../../actors/ports/sealer.ts';
import { ChatQueues } from '../../../../src/webhook/deliver/chat-queues.ts';
import { DeliveryReader } from '../../../../src/webhook/deliver/delivery-reader.ts';
import { type RecordedDelivery } from '../../../../src/webhook/stream/delivery-codec.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';

const recorded = (revision: number): RecordedDelivery => ({
  stream: 'delivery-a',
  revision,
  position: BigInt(revision),
  id: String(revision),
  type: 'MessageReceived',
  data: { content: 'sealed' as Sealed },
  metadata: { at: 0, seq: revision + 1, chat: 'c', login: 1, since: 0, position: { pts: 1, qts: 0, date: 0 } },
  created: 0,
});

interface ReadDeliveries {
  queues: ChatQueues;
  reader: DeliveryReader;
}
/** The deliveries of session `a`, of which five are recorded and none is read. */
function readDeliveries(store: Pick<EventStore, 'read'>): ReadDeliveries {
  const queues = new ChatQueues({}, createDrivenClock());
  const reader = new DeliveryReader(
    {
      store,
      queues,
      onDue: () => {},
      onUnreadable: () => {},
      reportUnreadable: allReadable,
      isOver: () => false,
    },
    'a',
    { since: 0, upTo: { seq: 0, revision: -1 } },
    { seq: 5, revision: 4, count: 5 },
  );
  return { queues, reader };
}

it('[WH4.1] what is recorded while a part that has been removed is looked for is not passed by with it', async () => {
  const left: RecordedDelivery[] = [];
  const arriving = [recorded(5)];
  const store: Pick<EventStore, 'read'> = {
    async *read(_stream, { from = 0 } = {}) {
      // Interfaces have no index signature, but all of this is JSON.
      yield* left.filter(({ revision }) => revision >= from) as unknown as RecordedEvent[];
      const arrived = arriving.splice(0);
      left.push(...arrived);
      reader.recorded(arrived);
    },
  };
  const { queues, reader }: ReadDeliveries = readDeliveries(store);
  await reader.fill();
  expect(queues.chats.get('c')?.due.map(({ seq }) => seq)).toEqual([6]);
  expect(reader.upTo).toEqual({ seq: 6, revision: 5, count: 6 });
});

it('[WH4.1] what was recorded before the outbox was opened, and is told late, hides nothing that came after it', async () => {
  const events = Array.from({ length: 5 }, (_, revision) => recorded(revision));
  const store: Pick<EventStore, 'read'> = {
    async *read(_stream, { from = 0 } = {}) {
      yield* events.filter(({ revision }) => revision >= from) as unknown as RecordedEvent[];
    },
  };
  const { queues, reader } = readDeliveries(store);
  reader.recorded([]);
  reader.recorded(events.slice(0, 2));
  expect(reader.end).toEqual({ seq: 5, revision: 4, count: 5 });
  await reader.fill();
  expect(queues.chats.get('c')?.due.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

it('[WH4.1] what is recorded while a page is read is taken once, though the page has it too', async () => {
  const store: Pick<EventStore, 'read'> = {
    async *read(_stream, { from = 0 } = {}) {
      if (from > 0) return;
      for (let revision = 0; revision < 5; revision++) yield recorded(revision) as unknown as RecordedEvent;
      reader.recorded([recorded(5)]);
      yield recorded(5) as unknown as RecordedEvent;
    },
  };
  const { queues, reader }: ReadDeliveries = readDeliveries(store);
  await reader.fill();
  expect(queues.chats.get('c')?.due.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect([reader.isAtEnd, reader.upTo.revision]).toEqual([true, 5]);
});
