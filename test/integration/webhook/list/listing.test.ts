import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outboxWriter } from '../../../../src/webhook/deliver/outbox-checkpoint.ts';
import { emptyProgress } from '../../../../src/webhook/stream/outbox-progress.ts';
import { placeKey } from '../../../../src/webhook/stream/place-marks.ts';
import { saveProgress } from '../../../../src/webhook/stream/stored-progress.ts';
import { createSeededRandomness } from '../../../support/kit/clock.ts';
import { appendDeliveries } from '../../../support/webhook/delivery-stream.ts';
import { World } from '../../../support/webhook/world.ts';

const dayMs = 24 * 60 * 60_000;

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

type Query = Partial<Parameters<World['dispatcher']['list']>[1]>;
const page = (query: Query = {}, slot?: number) =>
  world.dispatcher.list(id, { status: undefined, chatId: undefined, after: undefined, limit: 50, ...query }, slot);
const seqs = async (query: Query = {}, slot?: number) => (await page(query, slot)).docs.map(({ seq }) => seq);
/** How many events of delivery streams are read from here on. */
function countRead(): () => number {
  const { store } = world;
  const read = store.read.bind(store);
  let count = 0;
  store.read = async function* (stream, options) {
    for await (const event of read(stream, options)) {
      if (stream.startsWith('delivery-')) count += 1;
      yield event;
    }
  };
  return () => count;
}

describe('the deliveries of a webhook', () => {
  it('[OS4.1] are pending, delivered or parked, with what became of each, and the envelope', async () => {
    world.refuse(2000);
    await world.arriveFrom(id, 2000, 2001, 2000);
    const [first, third] = (await page({ status: 'pending' })).docs;
    expect(first).toMatchObject({ seq: 1, status: 'pending', attempts: 1, error: 'it answered with status 503' });
    expect(first?.nextAt).toBe((await world.dispatcher.status(id)).nextAttempt);
    expect(third).toMatchObject({ seq: 3, attempts: 0, error: '' });
    const received = world.received.find(({ payload }) => payload.seq === 2);
    expect((await page({ status: 'delivered' })).docs).toMatchObject([
      { seq: 2, attempts: 1, id: received?.payload.id, event: received?.payload },
    ]);
    await world.pass(6_000);
    expect((await page({ status: 'pending' })).docs[0]).toMatchObject({ attempts: 2 });
    await world.pass(dayMs + 3_600_000);
    const parked = await page({ status: 'parked' });
    expect(parked.docs).toMatchObject([
      { seq: 1, status: 'parked', error: 'it answered with status 503', type: 'message', event: { seq: 1 } },
      { seq: 3, status: 'parked', attempts: 1 },
    ]);
    expect(parked.docs[0]?.attempts).toBeGreaterThan(30);
    world.refuse();
    await world.dispatcher.replay(id, { from: 1 });
    await world.settle();
    expect((await page()).docs.map(({ seq, status }) => [seq, status])).toEqual([
      [3, 'delivered'],
      [2, 'delivered'],
      [1, 'delivered'],
    ]);
  });

  it('[OS4.2] attempts and errors outlive a crash', async () => {
    world.refuse(2000);
    await world.arriveFrom(id, 2000);
    await world.pass(1000);
    const before = await page();
    await world.kill();
    await world.start();
    expect(await page()).toEqual(before);
    world.refuse();
    await world.pass(6_000);
    expect((await page()).docs).toMatchObject([{ status: 'delivered', attempts: 2, error: '' }]);
  });

  it('[OS4.1] come in pages, of one chat or of all', async () => {
    world.refuse(2000);
    await world.arriveFrom(id, 2000, 2001, 2000, 2001, 2000, 2002);
    const first = await page({ status: 'pending', limit: 2 });
    expect(first.docs.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(await seqs({ status: 'pending', after: first.after })).toEqual([5]);
    const newest = await page({ limit: 4 });
    expect(newest.docs.map(({ seq }) => seq)).toEqual([6, 5, 4, 3]);
    const rest = await page({ limit: 4, after: newest.after });
    expect([rest.docs.map(({ seq }) => seq), rest.after]).toEqual([[2, 1], undefined]);
    expect(await seqs({ chatId: '2001' })).toEqual([4, 2]);
    expect(await seqs({ chatId: '2000', status: 'pending' })).toEqual([1, 3, 5]);
    expect(await seqs({ chatId: '2001', status: 'pending' })).toEqual([]);
    expect(await seqs({ chatId: '9' })).toEqual([]);
  });

  it('[OS4.1] are those of one webhook, and none while it is off', async () => {
    const settings = { url: `${world.url}/2`, token: 'x', chats: ['2001'] };
    const { position } = await world.sessions.setWebhook(id, settings, { slot: 2 });
    await world.views.waitFor(position);
    await world.arriveFrom(id, 2000, 2001, 2000);
    expect([await seqs(), await seqs({}, 2)]).toEqual([[3, 2, 1], [2]]);
    await world.setWebhook(id, null);
    expect([await seqs(), await seqs({}, 2)]).toEqual([[], [2]]);
  });

  it('[OS4.1] that cannot be read are parked, without an envelope', async () => {
    world.refuse(2000);
    await world.arriveFrom(id, 2000, 2001);
    world.alterReads((event) => (event.revision === 1 ? { ...event, data: { content: 'broken' } } : event));
    world.behaviour = (response) => response.end();
    await world.dispatcher.replay(id, { from: 1 });
    await world.settle();
    const [broken] = (await page({ status: 'parked' })).docs;
    expect(broken).toMatchObject({ status: 'parked', attempts: 0, error: 'its content cannot be opened' });
    expect(broken?.event).toBeUndefined();
  });
});

describe('a long stream', () => {
  const count = 6_000;

  /** Every `nth` delivery is of the chat `a`, and wanted by the webhook. All is delivered, or parked. */
  async function fill(nth: number, parked: number[] = []): Promise<void> {
    const { webhookSince: since = 0 } = world.views.get(id) ?? {};
    const a = (await world.vault.fingerprint(id, 'a')).toString('base64url');
    await world.kill();
    let [before, wanted] = [0, 0];
    const events = Array.from({ length: count }, (_, index) => {
      const seq = index + 1;
      const isWanted = seq % nth === 0;
      const mark = [before, wanted + (isWanted ? 1 : 0), ...(isWanted ? [1] : [])] as [number, number, 1?];
      if (isWanted) [before, wanted] = [seq, wanted + 1];
      return { seq, since, chat: isWanted ? a : 'b', places: { [placeKey(since)]: mark } };
    });
    await appendDeliveries(world.store, events, id);
    const { revision = 0 } = (await world.store.last(`delivery-${id}`)) ?? {};
    const groups = [{ error: 'refused', ranges: parked.map((seq): [number, number] => [seq, seq]) }];
    const upTo = { seq: count, revision, count: wanted };
    const { store, clock } = world;
    const random = createSeededRandomness(3, clock);
    await saveProgress({ clock, random }, outboxWriter({ store }, id, 1), {
      ...emptyProgress,
      since,
      upTo,
      parked: groups,
    });
    await world.start();
  }

  it('[OS4.3] a page reads few events, though the deliveries of the webhook lie far apart', async () => {
    await fill(2_000, [2_000, 6_000]);
    const read = countRead();
    expect(await seqs()).toEqual([6_000, 4_000, 2_000]);
    expect(await seqs({ status: 'delivered' })).toEqual([4_000]);
    expect(await seqs({ status: 'parked' })).toEqual([2_000, 6_000]);
    expect(await seqs({ status: 'pending' })).toEqual([]);
    expect(read()).toBeLessThan(2_500);
  });

  it('[OS4.3] one that would read more ends early, and the next goes on', async () => {
    await fill(1);
    const read = countRead();
    const first = await page({ chatId: 'b' });
    expect([first.docs, first.after === undefined]).toEqual([[], false]);
    expect(read()).toBeLessThanOrEqual(5_200);
    expect(await page({ chatId: 'b', after: first.after })).toEqual({ docs: [], after: undefined });
    expect((await page({ chatId: 'a' })).docs).toHaveLength(50);
  });
});
