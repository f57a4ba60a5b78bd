import { beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { clientLeft } from '../../../../src/errors/gateway-error.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { mostInAnyMinute, PaceWorld, type PlayedSend } from '../../../support/messaging/pace-world.ts';

const minute = 60_001;

let world: PaceWorld;
beforeEach(() => {
  world = new PaceWorld();
});

/** How many of the sends have ended so far. */
function sendMany(count: number, options: PlayedSend = {}): { ended: number; failures: unknown[] } {
  const sends = { ended: 0, failures: [] as unknown[] };
  for (let send = 0; send < count; send++) {
    world
      .send(options)
      .catch((error: unknown) => sends.failures.push(error))
      .finally(() => (sends.ended += 1));
  }
  return sends;
}
const arrived = (): number => world.arrivals.length;

describe('a line', () => {
  it('[OS7.1] is off by default: nothing waits, and nothing is recorded', async () => {
    sendMany(100);
    await world.clock.settle();
    expect(arrived()).toBe(100);
    expect(await world.store.last('send-pace-s1')).toBeUndefined();
  });

  it('[OS7.1] lets through what a minute allows, and the next ones a minute after an answer', async () => {
    world.set({ perMinute: 3 });
    const sends = sendMany(5, { latencyMs: 1_000 });
    await world.clock.advance(2_000);
    expect([arrived(), sends.ended]).toEqual([3, 3]);
    await world.clock.advance(minute - 1);
    expect(arrived()).toBe(3);
    await world.clock.advance(1_001);
    expect(arrived()).toBe(5);
    expect(mostInAnyMinute(world.arrivals)).toBe(3);
  });

  it('[OS7.1] several messages go when there is room for all, and those behind them wait', async () => {
    world.set({ perMinute: 4 });
    sendMany(1, { messages: 2 });
    await world.clock.advance(1_000);
    sendMany(1, { messages: 3 });
    sendMany(2);
    await world.clock.advance(1_000);
    expect(arrived()).toBe(2);
    await world.clock.advance(minute);
    expect(arrived()).toBe(6);
    await world.clock.advance(minute);
    expect(arrived()).toBe(7);
  });

  it('[OS7.1] more messages than a minute allows never go', async () => {
    world.set({ perMinute: 4 });
    const message = 'the pace allows 4 messages a minute: these are 5';
    await expect(world.send({ messages: 5 })).rejects.toMatchObject({ statusCode: 400, message });
    const sends = sendMany(2, { messages: 3 });
    await world.clock.settle();
    world.set({ perMinute: 2 });
    await world.clock.settle();
    expect(sends).toMatchObject({ ended: 2, failures: [{ statusCode: 400 }] });
  });

  it('[OS7.1] what is not ready for its turn is passed by', async () => {
    world.set({ perMinute: 1 });
    sendMany(1, { preparationMs: 5_000 });
    sendMany(1);
    await world.clock.settle();
    expect(arrived()).toBe(1);
    await world.clock.advance(minute);
    expect(arrived()).toBe(2);
  });

  it.each([
    [119_000, []],
    [121_000, [{ statusCode: 500, message: 'send timeout after 240s' }]],
  ])('[OS7.1] the time of a send stands still while it waits, and no longer (%i ms)', async (latencyMs, failures) => {
    world.set({ perMinute: 1 });
    sendMany(3);
    const last = sendMany(1, { latencyMs });
    await world.clock.advance(3 * minute + 250_000);
    expect(last).toMatchObject({ ended: 1, failures });
  });

  it('[OS7.3] a turn that is more than 240 s away is refused at once, with Retry-After', async () => {
    world.set({ perMinute: 1 });
    sendMany(4);
    await world.clock.advance(30_000);
    sendMany(1);
    await world.clock.settle();
    // Four wait: the fourth has its turn 210 s from now, the next one 270 s.
    expect(await failureOf(world.send())).toMatchObject({
      statusCode: 429,
      message: 'the next turn of this account’s pace is in 271 seconds',
      retryAfterSeconds: 271,
    });
    expect((await world.use()).waiting).toBe(4);
  });

  it('[OS7.3] a turn that comes later than expected is refused after 240 s', async () => {
    world.set({ perMinute: 1 });
    sendMany(2, { latencyMs: 60_000 });
    const late = sendMany(1);
    await world.clock.advance(239_000);
    expect([arrived(), late.ended]).toEqual([1, 0]);
    await world.clock.advance(1_000);
    expect(late.failures).toMatchObject([{ statusCode: 429 }]);
  });

  it('[OS7.4] a caller that hangs up gives its turn up, and the next one has it', async () => {
    world.set({ perMinute: 1 });
    sendMany(1);
    const left = new LightAbort();
    const gone = sendMany(1, { left });
    const next = sendMany(1);
    await world.clock.advance(1_000);
    left.abort(clientLeft());
    await world.clock.settle();
    expect(gone.failures).toMatchObject([{ statusCode: 499 }]);
    await world.clock.advance(minute);
    expect(next.ended).toBe(1);
    expect(arrived()).toBe(2);
  });

  it('[OS7.4] a caller that hangs up after its turn has come changes nothing', async () => {
    world.set({ perMinute: 1 });
    const left = new LightAbort();
    const sends = sendMany(1, { left, latencyMs: 1_000 });
    await world.clock.settle();
    left.abort(clientLeft());
    await world.clock.advance(2_000);
    expect(sends).toEqual({ ended: 1, failures: [] });
  });

  it('[OS7.5] shows what waits, when the next turn is, and what is used', async () => {
    world.set({ perMinute: 2 });
    sendMany(3, { chat: 'c1' });
    await world.clock.advance(10_000);
    expect(await world.use()).toEqual({
      waiting: 1,
      nextTurn: world.clock.now() + minute - 10_000,
      lastMinute: 2,
      newChats: 0,
    });
  });

  it('[OS7.7] delays no other account', async () => {
    world.set({ perMinute: 1 });
    world.set({ perMinute: 1 }, 's2');
    sendMany(3);
    sendMany(1, { session: 's2' });
    await world.clock.settle();
    expect(arrived()).toBe(2);
  });

  it('[OS7.1] that is turned off or widened meanwhile lets those through that wait', async () => {
    world.set({ perMinute: 1 });
    sendMany(4);
    await world.clock.settle();
    world.set({ perMinute: 3 });
    await world.clock.settle();
    expect(arrived()).toBe(3);
    world.set(undefined);
    await world.clock.settle();
    expect(arrived()).toBe(4);
  });

  it('[OS7.4] refuses those that wait when the gateway stops', async () => {
    world.set({ perMinute: 1 });
    const sends = sendMany(3);
    await world.clock.settle();
    world.stop();
    await world.clock.settle();
    expect(sends).toMatchObject({ ended: 3, failures: [{ statusCode: 503 }, { statusCode: 503 }] });
    expect(world.clock.armed()).toBe(0);
  });
});

describe('the log of a pace', () => {
  it('[OS7.2] is written before Telegram is called: what cannot be counted is not sent, and uses no turn', async () => {
    world.set({ perMinute: 1 });
    world.faults.push(...Array.from({ length: 5 }, () => ({ kind: 'fails-before' as const })));
    const sends = sendMany(1);
    await world.clock.advance(10_000);
    expect(sends.failures).toEqual([expect.any(StoreUnavailableError)]);
    expect(arrived()).toBe(0);
    sendMany(1);
    await world.clock.settle();
    expect(arrived()).toBe(1);
  });

  it('[OS7.2] is counted from after a kill, as much as had ended by then', async () => {
    world.set({ perMinute: 2 });
    sendMany(1);
    await world.clock.advance(50_000);
    sendMany(1);
    await world.clock.advance(5_000);
    world.kill();
    // Of the second nothing is known but that it is over.
    sendMany(3);
    await world.clock.advance(5_000);
    expect(arrived()).toBe(2);
    await world.clock.advance(1);
    expect(arrived()).toBe(3);
    await world.clock.advance(54_999);
    expect(arrived()).toBe(3);
    await world.clock.advance(1);
    expect(arrived()).toBe(4);
  });

  it('[OS7.2] is counted from if the wall clock was set back meanwhile', async () => {
    world.set({ perMinute: 1 });
    sendMany(1);
    await world.clock.advance(1_000);
    world.clock.setWallClockBy(-3_600_000);
    world.kill();
    sendMany(1);
    await world.clock.advance(minute - 1);
    expect(arrived()).toBe(1);
    await world.clock.advance(1);
    expect(arrived()).toBe(2);
  });

  it('[OS7.2] keeps no more than the last minutes', async () => {
    world.set({ perMinute: 100 });
    for (let minutes = 0; minutes < 60; minutes++) {
      sendMany(1);
      await world.clock.advance(60_000);
    }
    let events = 0;
    for await (const _event of world.store.read('send-pace-s1')) events += 1;
    expect(events).toBeLessThan(25);
  });

  it('[OS7.2] a repeated send counts once, also after a kill', async () => {
    world.set({ perMinute: 2, newChatsPerDay: 5 });
    const randomId = world.newRandomId();
    await world.send({ randomId, chat: 'c1' });
    world.kill();
    await world.send({ randomId, isRepeated: true, chat: 'c1' });
    expect(await world.use()).toMatchObject({ lastMinute: 1, newChats: 1 });
    sendMany(1);
    await world.clock.settle();
    expect(arrived()).toBe(2);
    sendMany(1, { randomId, isRepeated: true });
    await world.clock.settle();
    expect(await world.use()).toMatchObject({ lastMinute: 2, waiting: 0 });
  });
});

describe('new chats', () => {
  it('[OS7.6] are those without messages, each counted once', async () => {
    world.set({ newChatsPerDay: 2 });
    sendMany(3, { chat: 'c1' });
    sendMany(3, { chat: 'old', isOldChat: true });
    sendMany(1, { chat: 'c2' });
    await world.clock.settle();
    expect(arrived()).toBe(7);
    expect(await world.use()).toMatchObject({ newChats: 2, waiting: 0 });
  });

  it('[OS7.6] beyond the limit are refused until a day after the first, over a kill', async () => {
    world.set({ newChatsPerDay: 1 });
    await world.send({ chat: 'c1' });
    await world.clock.advance(3_600_000);
    world.kill();
    expect(await failureOf(world.send({ chat: 'c2' }))).toMatchObject({ statusCode: 429, retryAfterSeconds: 82_801 });
    await world.send({ chat: 'c1' });
    await world.send({ chat: 'old', isOldChat: true });
    await world.clock.advance(82_700_000);
    sendMany(1, { chat: 'c2' });
    sendMany(1, { chat: 'old', isOldChat: true });
    await world.clock.settle();
    // It waits for its day, and holds up no other.
    expect(arrived()).toBe(4);
    await world.clock.advance(100_001);
    expect(arrived()).toBe(5);
  });

  it('[OS7.6] that were not written to use up no place of the day', async () => {
    world.set({ newChatsPerDay: 1 });
    world.faults.push(...Array.from({ length: 5 }, () => ({ kind: 'fails-before' as const })));
    const failing = sendMany(2, { chat: 'c1' });
    await world.clock.advance(10_000);
    expect(failing.failures).toEqual([expect.any(StoreUnavailableError), expect.any(StoreUnavailableError)]);
    expect(await world.use()).toMatchObject({ newChats: 0, waiting: 0 });
    await world.send({ chat: 'c2' });
    expect(await world.use()).toMatchObject({ newChats: 1 });
    expect(await failureOf(world.send({ chat: 'c3' }))).toMatchObject({ statusCode: 429 });
  });

  it('[OS7.6] stand in the log without their IDs', async () => {
    world.set({ newChatsPerDay: 1 });
    await world.send({ chat: '1002' });
    const data: unknown[] = [];
    for await (const event of world.store.read('send-chats-s1')) data.push(event.data);
    expect(data).toEqual([{ at: world.clock.now(), chat: expect.stringMatching(/^[\w-]{22}$/) }]);
  });
});
