import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import type { AccountUpdate } from '../../../../src/telegram/port/updates.ts';
import { recordingInto, textsOf } from '../../../support/telegram/recording.ts';
import { anyTime, type Observed, openScene, type Scene, until, watch } from '../../../support/telegram/scene.ts';

let scene: Scene;
let link: Observed;
let updates: AccountUpdate[];
beforeEach(async () => {
  updates = [];
  scene = await openScene({ recording: recordingInto(updates) });
  link = await scene.loggedIn('s', '1001');
  await write('first');
  await until(() => updates.length === 1);
});
afterEach(() => scene.close());

const write = (text: string): Promise<unknown> =>
  scene.control('POST', '/accounts/1002/messages', { peer: '1001', text });
const chaos = (body: object): Promise<unknown> => scene.control('POST', '/chaos', body);
const forgetSessions = (): Promise<unknown> => scene.control('POST', '/network', { action: 'forgetSessions' });
const accepted = (): number => scene.sandbox.protocol.stats().accepted;
const texts = (): unknown[] => textsOf(updates);

describe('a session that Telegram begins anew on an open connection', () => {
  it('[WH5.2] is a reason to ask for updates at once', async () => {
    const before = accepted();
    await forgetSessions();
    await write('while nothing is pushed');
    await scene.live(15_000);
    await until(() => updates.length === 2);
    await write('pushed again');
    await until(() => updates.length === 3);
    expect(texts()).toEqual(['first', 'while nothing is pushed', 'pushed again']);
    expect(accepted()).toBe(before);
  });

  it('[WH5.2] gets the requests again that went to the session before', async () => {
    const before = accepted();
    await scene.control('POST', '/faults', { method: 'contacts.resolveUsername', delayMs: 200 });
    const asking = watch(link.account().byUsername('bob', anyTime));
    await until(
      async () => (await scene.control<unknown[]>('GET', '/calls?method=contacts.resolveUsername')).length > 0,
    );
    await forgetSessions();
    await scene.clock.advance(15_000);
    await until(() => asking.settled !== 'no');
    expect(asking.error).toBeUndefined();
    expect(accepted()).toBe(before);
  });

  it('[WH5.2] gets all requests of a container again', async () => {
    await chaos({ batchAnswers: 60_000 });
    const bob = watch(
      Promise.all(['bob', 'helperbot', 'daily'].map((name) => link.account().byUsername(name, new LightAbort()))),
    );
    await scene.control('GET', '/stats');
    await forgetSessions();
    await chaos({ batchAnswers: 0 });
    await scene.clock.advance(15_000);
    await until(() => bob.settled !== 'no');
    expect(bob.error).toBeUndefined();
  });
});

describe('a push that this layer cannot read', () => {
  it.each(['lone', 'short', 'gzipped'])('[WH5.2] is a reason to ask for updates: %s', async (shape) => {
    await chaos({ unknownUpdate: { shape } });
    await write('of a later layer');
    await until(() => updates.length === 2);
    await write('readable');
    await until(() => updates.length === 3);
    expect(texts()).toEqual(['first', 'of a later layer', 'readable']);
  });

  it('[WH5.2] is a reason to ask for updates: in a container, each shape', async () => {
    await chaos({ batchAnswers: 20 });
    await chaos({ unknownUpdate: 3 });
    await Promise.all(['one', 'two', 'three'].map(write));
    await until(() => updates.length === 4);
    expect(new Set(texts())).toEqual(new Set(['first', 'one', 'two', 'three']));
  });

  it('[MTProto] is acknowledged, and so not sent again', async () => {
    await chaos({ unknownUpdate: 3 });
    for (const text of ['one', 'two', 'three']) await write(text);
    await until(() => updates.length === 4);
    for (let pings = 0; scene.sandbox.protocol.stats().unacknowledged > 0 && pings < 10; pings++) {
      await scene.live(15_000);
    }
    expect(scene.sandbox.protocol.stats()).toMatchObject({ connections: 1, unacknowledged: 0 });
  });
});

describe('answers that Telegram only tells of', () => {
  it('[MTProto] are asked for, and not acknowledged before they are there', async () => {
    const before = accepted();
    await chaos({ announceAnswers: 2 });
    const names = ['bob', 'helperbot', 'daily'];
    const peers = await Promise.all(names.map((name) => link.account().byUsername(name, new LightAbort())));
    expect(new Set(peers.map(({ id }) => id)).size).toBe(3);
    expect(accepted()).toBe(before);
  });
});
