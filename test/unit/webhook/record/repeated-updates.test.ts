import { beforeEach, expect, it } from 'vitest';
import type { EventStore } from '../../../../actors/ports/event-store.ts';
import type { DeliveryDraft } from '../../../../src/webhook/record/delivery-drafts.ts';
import { withoutRepeated } from '../../../../src/webhook/record/repeated-updates.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { appendDeliveries } from '../../../support/webhook/delivery-stream.ts';

const chat = { id: '-2001', kind: 'group', name: 'Family' } as const;
const reaction = (messageId: number, counts: Record<string, number>, isFetched = true): DeliveryDraft => ({
  type: 'ReactionsChanged',
  content: { chat, messageId, counts, emojis: [] },
  ...(isFetched && { mayBeRepeated: true }),
});

let store: EventStore;
beforeEach(() => {
  store = createMemoryStore(createDrivenClock());
});
const left = (login: number, ...drafts: DeliveryDraft[]): Promise<unknown[]> =>
  withoutRepeated(
    { store, reportUnreadable: allReadable, sealer: { open: async (_session, sealed) => sealed } },
    's1',
    login,
    drafts,
  );
const recorded = (...drafts: DeliveryDraft[]): Promise<unknown> =>
  appendDeliveries(
    store,
    drafts.map(({ type, content }) => ({ type, content: JSON.stringify(content) })),
  );

it('[EV1.5] what was fetched again and is as it was recorded last says nothing new', async () => {
  await recorded(reaction(1, { a: 1 }), reaction(1, { a: 2 }), reaction(2, { a: 1 }));
  const changed = [reaction(1, { a: 1 }), reaction(2, { a: 1, b: 1 }), reaction(3, { a: 1 })];
  expect(
    await left(1, reaction(1, { a: 2 }), reaction(2, { a: 1 }), reaction(3, { a: 1 }), reaction(3, { a: 1 })),
  ).toEqual([reaction(3, { a: 1 })]);
  expect(await left(1, ...changed)).toEqual(changed);
});

it('[EV1.5] what was pushed is not a repetition, nor is what another login has recorded', async () => {
  await recorded(reaction(1, { a: 1 }));
  expect(await left(1, reaction(1, { a: 1 }, false))).toHaveLength(1);
  expect(await left(2, reaction(1, { a: 1 }))).toHaveLength(1);
});
