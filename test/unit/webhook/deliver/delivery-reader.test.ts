import { expect, it } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../../actors/ports/event-store.ts';
import { ChatQueues } from '../../../../src/webhook/deliver/chat-queues.ts';
import { DeliveryReader } from '../../../../src/webhook/deliver/delivery-reader.ts';
import { type PlacedEvent, placed } from '../../../../src/webhook/stream/delivery-events.ts';

const recorded = (revision: number): RecordedEvent => ({
  stream: 'delivery-a',
  revision,
  position: BigInt(revision),
  id: String(revision),
  type: 'MessageReceived',
  data: {},
  metadata: { at: 0, seq: revision + 1, chat: 'c', login: 1, since: 0, position: { pts: 1, qts: 0, date: 0 } },
  created: 0,
});

it('[WH4] what is recorded while a part that has been removed is looked for is not passed by with it', async () => {
  const left: RecordedEvent[] = [];
  const arriving = [recorded(5)];
  const store: Pick<EventStore, 'read'> = {
    async *read(_stream, { from = 0 } = {}) {
      yield* left.filter(({ revision }) => revision >= from);
      const arrived = arriving.splice(0);
      left.push(...arrived);
      reader.recorded(arrived.map((event): PlacedEvent => placed(event)));
    },
  };
  const queues = new ChatQueues({});
  const nothingDone = { since: 0, upTo: { seq: 0, revision: -1 } };
  const reader: DeliveryReader = new DeliveryReader(store, 'a', queues, nothingDone, { seq: 5, revision: 4 });
  await reader.fill(
    () => 0,
    () => {},
    () => false,
  );
  expect(queues.chats.get('c')?.due.map(({ seq }) => seq)).toEqual([6]);
  expect(reader.upTo).toEqual({ seq: 6, revision: 5 });
});
