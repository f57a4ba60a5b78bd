import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetUpdates } from '../../../sandbox/world/messages/message-boxes.ts';
import { audit } from '../../support/e2e/audit.ts';
import { faultsOf, textsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

const cara = '1003';
const hourMs = 60 * 60_000;

let scene: UpdatesScene;
beforeEach(async () => {
  scene = await openUpdatesScene();
});
afterEach(() => scene.close());

const chaos = (of: object): Promise<unknown> => scene.sandbox.call('POST', '/chaos', { ...of, userId: ann });
const network = (action: string): Promise<unknown> => scene.sandbox.call('POST', '/network', { action, userId: ann });
const numbered = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => `text ${from + index}`);
const writeAll = async (texts: readonly string[]): Promise<void> => {
  for (const text of texts) await scene.write(bob, ann, text);
};
/** `POST /message`; what it is answered, or nothing where the gateway has gone. */
const send = (caller: Caller, text: string): Promise<number | undefined> =>
  scene.request(caller, 'POST', '/message', { user: bob, type: 'text', text }).then(
    ({ status }) => status,
    () => undefined,
  );
/** Telegram has carried out so many sends. */
const untilSent = async (text: string): Promise<void> => {
  const path = `/accounts/${bob}/messages?peer=${ann}&limit=5`;
  for (;;) {
    const messages = await scene.sandbox.call<{ text: string }[]>('GET', path);
    if (messages.some((message) => message.text === text)) return;
    await scene.clock.advance(0);
  }
};
const restartConnected = async (caller: Caller): Promise<void> => {
  await scene.restart();
  await scene.gateway.started;
  await scene.read(caller, ({ isConnected }) => isConnected);
};

describe('updates that Telegram loses, doubles or turns around', () => {
  it.each([
    ['lost', { loseUpdates: 3 }],
    ['doubled', { duplicateUpdates: 3 }],
    ['turned around', { reorderUpdates: 3 }],
  ])('[WH5.2] come out once and in order: %s', async (_, fault) => {
    const caller = await scene.annWithWebhook();
    await writeAll(numbered(2));
    await scene.delivered(caller, 2);
    await chaos(fault);
    await writeAll(numbered(6, 3));
    await scene.pass(2_000);
    const deliveries = await scene.delivered(caller, 8);
    expect(textsOf(deliveries)).toEqual(numbered(8));
    expect(faultsOf(deliveries)).toEqual([]);
  });
});

describe('after an interruption', () => {
  it('[WH5.2] nothing is lost, and nothing comes again under another ID, over a crash', async () => {
    const caller = await scene.annWithWebhook();
    await writeAll(numbered(3));
    const before = await scene.delivered(caller, 3);
    await scene.gateway.crash();
    await writeAll(numbered(3, 4));
    await restartConnected(caller);
    await writeAll(numbered(2, 7));
    const after = await scene.delivered(caller, 8);
    expect(textsOf(after)).toEqual(numbered(8));
    expect(after.slice(0, 3)).toEqual(before);
    expect(faultsOf(after)).toEqual([]);
  });

  it('[WH5.2] nothing is lost over a cut connection', async () => {
    const caller = await scene.annWithWebhook();
    await network('cut');
    await writeAll(numbered(3));
    await scene.pass(3_000);
    await writeAll(numbered(3, 4));
    const deliveries = await scene.delivered(caller, 6);
    expect(textsOf(deliveries)).toEqual(numbered(6));
    expect(faultsOf(deliveries)).toEqual([]);
  });

  it('[WH5.2] an hour of 500 messages is fetched in slices, in order', async () => {
    const caller = await scene.annWithWebhook();
    await writeAll(numbered(1));
    await scene.delivered(caller, 1);
    await scene.gateway.crash();
    await writeAll(numbered(499, 2));
    await chaos({ differenceSlice: 50 });
    await scene.clock.advance(hourMs);
    await restartConnected(caller);
    const deliveries = await scene.delivered(caller, 500);
    expect(textsOf(deliveries)).toEqual(numbered(500));
    expect(faultsOf(deliveries)).toEqual([]);
    const calls = await scene.sandbox.call<{ answer?: string }[]>('GET', '/calls?method=updates.getDifference');
    expect(calls.filter(({ answer }) => answer === 'updates.differenceSlice').length).toBeGreaterThanOrEqual(9);
  });

  it.each<[string, string, () => unknown]>([
    ['does not keep any more', 'too-many', () => forgetUpdates(scene.telegram.world, `user:${ann}`)],
    [
      'does not know the position of any more',
      'position-unknown',
      () =>
        scene.sandbox.call('POST', '/faults', {
          method: 'updates.getDifference',
          error: 'PERSISTENT_TIMESTAMP_INVALID',
          // Greeting the new connection, and when it is asked once more.
          times: 2,
        }),
    ],
  ])(
    '[WH5.3] [WH5.5] of updates that Telegram %s the messages are delivered, and the audit says that they were lost',
    async (_, reason, forget) => {
      const caller = await scene.annWithWebhook();
      await writeAll(numbered(1));
      await scene.delivered(caller, 1);
      await scene.gateway.crash();
      await writeAll(numbered(3, 2));
      await forget();
      await restartConnected(caller);
      await scene.pass(10_000);
      await writeAll(numbered(1, 5));
      const deliveries = await scene.delivered(caller, 5);
      expect(textsOf(deliveries)).toEqual(numbered(5));
      expect(faultsOf(deliveries)).toEqual([]);
      await scene.gateway.crash();
      const { streams, faults } = await audit(scene.gateway.dataDir, scene.kurrent);
      expect(faults).toEqual([]);
      const lost = streams.get(caller.id)?.filter(({ type }) => type === 'UpdatesLost');
      expect(lost?.map(({ data }) => data)).toEqual([{ login: 1, reason }]);
      await scene.restart();
    },
  );
});

describe('what came between the loss of a login and the next one', () => {
  const loseLogin = async (caller: Caller): Promise<void> => {
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    await scene.whilePassing(scene.read(caller, ({ qrcode }) => qrcode !== ''));
  };
  const logIn = async (caller: Caller, account: string): Promise<void> => {
    await scene.scan(caller, account);
    await scene.whilePassing(scene.read(caller, ({ isConnected }) => isConnected));
  };

  it.each<[string, () => unknown]>([
    ['Telegram has the updates', () => undefined],
    ['Telegram has only the messages', () => forgetUpdates(scene.telegram.world, `user:${ann}`)],
  ])('[WH5.5] is delivered after the account logs in again, once and in order: %s', async (_, forget) => {
    const caller = await scene.annWithWebhook();
    await writeAll(numbered(2));
    await scene.delivered(caller, 2);
    expect(await send(caller, 'sent by the gateway')).toBe(200);
    await loseLogin(caller);
    await writeAll(numbered(30, 3));
    await scene.write(ann, bob, 'by the owner');
    await scene.write(cara, ann, 'by Cara');
    await forget();
    await logIn(caller, ann);
    await writeAll(numbered(1, 33));
    const expected = [...numbered(32), 'by the owner', 'by Cara', 'text 33'];
    const deliveries = await scene.delivered(caller, expected.length);
    expect(textsOf(deliveries)).toEqual(expected);
    expect(faultsOf(deliveries)).toEqual([]);
    await restartConnected(caller);
    expect(textsOf(await scene.delivered(caller, expected.length))).toEqual(expected);
  });

  it('[WH5.5] is not another account’s', async () => {
    const caller = await scene.annWithWebhook();
    await writeAll(numbered(1));
    await scene.delivered(caller, 1);
    await loseLogin(caller);
    await scene.write(cara, ann, 'for Ann');
    await scene.write(ann, cara, 'for Cara');
    await logIn(caller, cara);
    await scene.write(ann, cara, 'later');
    expect(textsOf(await scene.delivered(caller, 2))).toEqual(['text 1', 'later']);
  });

  it('[WH5.5] is delivered though nothing had come since the webhook was set', async () => {
    const caller = await scene.annWithWebhook();
    while ((await scene.marks(caller)) === 0) await scene.clock.advance(0);
    await loseLogin(caller);
    await writeAll(numbered(3));
    await logIn(caller, ann);
    expect(textsOf(await scene.delivered(caller, 3))).toEqual(numbered(3));
  });
});

describe('the moment in which the webhook is set', () => {
  it('[WH5.1] parts what is recorded from what is not', async () => {
    const caller = await scene.connected(ann);
    await scene.write(bob, ann, 'before');
    await scene.setWebhook(caller);
    await scene.write(bob, ann, 'after');
    expect(textsOf(await scene.delivered(caller, 1))).toEqual(['after']);
    await scene.setWebhook(caller, false);
    await scene.write(bob, ann, 'while it is off');
    await scene.setWebhook(caller);
    await scene.write(bob, ann, 'on again');
    const deliveries = await scene.delivered(caller, 2);
    expect(textsOf(deliveries)).toEqual(['after', 'on again']);
    expect(faultsOf(deliveries)).toEqual([]);
  });

  it('[WH5.1] counts also where a crash follows at once, whatever the difference holds', async () => {
    const caller = await scene.connected(ann);
    await writeAll(numbered(3));
    await scene.setWebhook(caller);
    await scene.delivered(caller, 0);
    await expect.poll(() => scene.marks(caller)).toBe(1);
    await scene.gateway.crash();
    await scene.write(cara, ann, 'after');
    await restartConnected(caller);
    expect(textsOf(await scene.delivered(caller, 1))).toEqual(['after']);
  });

  it('[WH5.1] goes by dates where the account was out of reach', async () => {
    const caller = await scene.connected(ann);
    await network('refuse');
    await network('cut');
    const { clock } = scene.telegram.world;
    const now = clock.now.bind(clock);
    const telegramClock = vi.spyOn(clock, 'now');
    telegramClock.mockImplementation(() => now() - 60_000);
    await scene.write(bob, ann, 'a minute before');
    await scene.setWebhook(caller);
    telegramClock.mockImplementation(() => now() + 60_000);
    await scene.write(bob, ann, 'a minute after');
    telegramClock.mockRestore();
    await network('accept');
    await scene.pass(60_000);
    await scene.write(bob, ann, 'later');
    expect(textsOf(await scene.delivered(caller, 2))).toEqual(['a minute after', 'later']);
  });
});

describe('what POST /message sent', () => {
  it('[WH3.2] is not echoed where its update comes before its answer', async () => {
    const caller = await scene.annWithWebhook();
    await scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
    const answer = send(caller, 'mine');
    await untilSent('mine');
    const { world } = scene.telegram;
    const { pts } = world.tables.box(`user:${ann}`);
    const [mine] = await scene.sandbox.call<{ id: number | string }[]>(
      'GET',
      `/accounts/${ann}/messages?peer=${bob}&limit=1`,
    );
    world.push(Number(ann), {
      _: 'updateShortMessage',
      out: true,
      id: Number(mine?.id),
      user_id: BigInt(bob),
      message: 'mine',
      pts,
      pts_count: 1,
      date: world.now(),
    });
    await scene.write(bob, ann, 'theirs');
    expect(await scene.whilePassing(answer)).toBe(200);
    expect(textsOf(await scene.delivered(caller, 1))).toEqual(['theirs']);
  });

  it('[WH3.2] is not echoed by a difference that is faster than the answer', async () => {
    const caller = await scene.annWithWebhook();
    await scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
    const answer = send(caller, 'mine');
    await untilSent('mine');
    await scene.write(bob, ann, 'theirs');
    await scene.write(ann, bob, 'from the phone');
    expect(await scene.whilePassing(answer)).toBe(200);
    expect(textsOf(await scene.delivered(caller, 2)).toSorted()).toEqual(['from the phone', 'theirs']);
    await scene.pass(5_000);
    expect(textsOf(await scene.deliveries(caller))).toHaveLength(2);
  });

  it('[WH3.2] is not echoed after a crash that the answer did not survive', async () => {
    const caller = await scene.annWithWebhook();
    await scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
    const answer = send(caller, 'mine');
    await untilSent('mine');
    await scene.gateway.crash();
    await answer;
    await scene.write(ann, bob, 'from the phone');
    await restartConnected(caller);
    const [delivery] = await scene.delivered(caller, 1);
    expect(delivery?.content.message.text).toBe('from the phone');
    await scene.write(bob, ann, 'the end');
    expect(textsOf(await scene.delivered(caller, 2))).toEqual(['from the phone', 'the end']);
  });

  it('[WH3.2] is not echoed where the connection broke before the answer', async () => {
    const caller = await scene.annWithWebhook();
    await scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', dropAnswer: true });
    const answer = send(caller, 'mine');
    await untilSent('mine');
    await network('cut');
    expect(await scene.whilePassing(answer)).toBe(200);
    await scene.write(bob, ann, 'theirs');
    expect(textsOf(await scene.delivered(caller, 1))).toEqual(['theirs']);
  });
});
