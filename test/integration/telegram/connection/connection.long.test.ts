import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import type { AccountUpdate } from '../../../../src/telegram/port/updates.ts';
import { recordingInto, textsOf } from '../../../support/telegram/recording.ts';
import { anyTime, type Observed, openScene, type Scene, until } from '../../../support/telegram/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const network = (action: string, more: object = {}): Promise<unknown> =>
  scene.control('POST', '/network', { action, ...more });
/** Lets time pass until something is so. */
const pass = (stepMs: number, isSo: () => boolean): Promise<void> =>
  until(async () => {
    if (!isSo()) await scene.clock.advance(stepMs);
    return isSo();
  });

describe('a connected session', () => {
  it('[SE8.1] is told nothing of a short break, and sends as before', async () => {
    const link = await scene.loggedIn('short', '1001');
    const bob = await link.account().byUsername('bob', anyTime);
    await network('cut');
    let sent = 0;
    void link
      .account()
      .sendText(bob, { text: 'over the break', entities: [], randomId: 5n, begunAt: scene.clock.now() }, anyTime)
      .then((id) => {
        sent = id;
      });
    await pass(500, () => sent > 0);
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
  });

  it('[SE8.1] goes on over the same connection where Telegram wants another salt, however many requests are under way', async () => {
    const link = await scene.loggedIn('salted', '1001');
    const bob = await link.account().byUsername('bob', anyTime);
    const { accepted } = scene.sandbox.protocol.stats();
    for (const round of [0, 1, 2]) {
      await scene.control('POST', '/chaos', { badSalt: true });
      const texts = Array.from({ length: 20 }, (_, index) => `salt ${round} ${index}`);
      const sending = texts.map((text, index) => {
        const randomId = BigInt(1000 * (round + 1) + index);
        return link
          .account()
          .sendText(bob, { text, entities: [], randomId, begunAt: scene.clock.now() }, new LightAbort());
      });
      expect(new Set(await Promise.all(sending)).size).toBe(texts.length);
      const seen = await scene.control<{ text: string }[]>('GET', '/accounts/1002/messages?peer=1001&limit=20');
      expect(seen.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    }
    expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
    expect(scene.sandbox.protocol.stats()).toMatchObject({ accepted });
  });

  it('[SE8.1] is disconnected while Telegram is out of reach, and connected again', async () => {
    const link = await scene.loggedIn('long', '1001');
    await network('refuse');
    await network('cut');
    await pass(1_000, () => link.facts.some(({ type }) => type === 'ConnectionLost'));
    expect(scene.telegram.accounts.get('long')).toBeUndefined();
    await network('accept');
    await pass(1_000, () => link.facts.some(({ type }) => type === 'ConnectionRestored'));
    expect(link.facts.map(({ type }) => type)).toEqual([
      'QrIssued',
      'LoggedIn',
      'ConnectionLost',
      'ConnectionRestored',
    ]);
    expect(await link.account().byUsername('bob', anyTime)).toMatchObject({ id: '1002' });
  });

  it('[SE8.1] notices a connection that is open and dead', async () => {
    const link = await scene.loggedIn('dead', '1001');
    await network('blackhole');
    await pass(5_000, () => link.facts.some(({ type }) => type === 'ConnectionLost'));
    expect(link.facts.at(-1)).toMatchObject({ reason: 'no-answer' });
    await network('accept');
    await network('cut');
    await pass(1_000, () => link.facts.some(({ type }) => type === 'ConnectionRestored'));
  });

  /** A session that was away while that was written to it. */
  async function afterMissing(updates: AccountUpdate[], chaos: object, texts: string[]): Promise<Observed> {
    await scene.close();
    scene = await openScene({ recording: recordingInto(updates) });
    await scene.loggedIn('away', '1001');
    await scene.restart();
    await scene.control('POST', '/chaos', chaos);
    for (const text of texts) await scene.control('POST', '/accounts/1002/messages', { peer: '1001', text });
    const link = scene.link('away');
    link.connect(1);
    await link.next('ConnectionRestored');
    return link;
  }

  it('[WH5.3] gives up only what it missed and cannot read, and is connected', async () => {
    const updates: AccountUpdate[] = [];
    const texts = Array.from({ length: 30 }, (_, index) => `text ${index + 1}`);
    const link = await afterMissing(updates, { unreadableDifference: 2, userId: '1001' }, texts);
    await until(() => updates.length === 28);
    expect(textsOf(updates)).toEqual(texts.slice(2));
    expect(link.facts.filter(({ type }) => type === 'UpdatesLost')).toEqual([
      { type: 'UpdatesLost', login: 1, reason: 'unreadable' },
    ]);
  });

  it('[WH5.3] gives up what Telegram keeps promising and does not send', async () => {
    const updates: AccountUpdate[] = [];
    const link = await afterMissing(updates, { stuckDifference: 1_000, userId: '1001' }, ['never']);
    await pass(500, () => link.facts.some(({ type }) => type === 'UpdatesLost'));
    expect(link.facts.at(-1)).toEqual({ type: 'UpdatesLost', login: 1, reason: 'stuck' });
    const asked = await scene.control<unknown[]>('GET', '/calls?method=updates.getDifference');
    expect(asked).toHaveLength(4);
    await scene.control('POST', '/chaos', { stuckDifference: 0 });
    await scene.control('POST', '/accounts/1002/messages', { peer: '1001', text: 'after' });
    await until(() => updates.length === 1);
    expect(textsOf(updates)).toEqual(['after']);
  });

  it('[SE9.1] is lost when Telegram says that the key is used twice', async () => {
    const link = await scene.loggedIn('twice', '1001');
    await scene.control('POST', '/faults', {
      method: 'updates.getDifference',
      error: 'AUTH_KEY_DUPLICATED',
      code: 406,
    });
    await network('cut');
    await pass(500, () => link.facts.some(({ type }) => type === 'LoginLost'));
    expect(link.facts.at(-1)).toEqual({ type: 'LoginLost', login: 1, reason: 'AUTH_KEY_DUPLICATED' });
    link.startQrLogin(2);
    expect(await link.next('QrIssued')).toMatchObject({ login: 2 });
  });

  it('tells when the account has got another name, username or photo meanwhile', async () => {
    const link = await scene.loggedIn('renamed', '1001');
    const user = scene.sandbox.world.tables.users.get(1001);
    if (user === undefined) throw new Error('Ann is gone');
    user.firstName = 'Anna';
    await network('refuse');
    await network('cut');
    await pass(1_000, () => link.facts.some(({ type }) => type === 'ConnectionLost'));
    await network('accept');
    await pass(1_000, () => link.facts.some(({ type }) => type === 'AccountChanged'));
    expect(link.facts.at(-1)).toMatchObject({
      type: 'AccountChanged',
      account: { id: '1001', name: 'Anna Lee' },
      picture: expect.stringMatching(/^data:image/),
    });
  });

  it('[SE13.2] tells of another name though Telegram will not give the photo, and asks for that once', async () => {
    const link = await scene.loggedIn('no-photo', '1001');
    const user = scene.sandbox.world.tables.users.get(1001);
    if (user === undefined) throw new Error('Ann is gone');
    user.firstName = 'Anna';
    await scene.control('POST', '/faults', { method: 'upload.getFile', error: 'LOCATION_INVALID', times: 1_000 });
    await network('refuse');
    await network('cut');
    await pass(1_000, () => link.facts.some(({ type }) => type === 'ConnectionLost'));
    await network('accept');
    const told = (): boolean => link.facts.some(({ type }) => type === 'AccountChanged');
    for (let passed = 0; passed < 60_000 && !told(); passed += 1_000) await scene.live(1_000);
    expect(link.facts.at(-1)).toMatchObject({ type: 'AccountChanged', account: { name: 'Anna Lee' }, picture: '' });
    const asked = async (): Promise<number> =>
      (await scene.control<unknown[]>('GET', '/calls?method=upload.getFile')).length;
    const before = await asked();
    await scene.live(120_000);
    expect(await asked()).toBe(before);
  });

  it('[SE8.2] is back within 10 s, without a word, when 50 are cut at once', async () => {
    const links = [];
    for (let i = 0; i < 50; i++) links.push(await scene.loggedIn(`s${i}`, '1001'));
    const connections = (): number => scene.sandbox.protocol.stats().connections;
    expect(connections()).toBe(50);
    const start = scene.clock.now();
    await network('cut');
    await until(() => connections() === 0);
    await pass(100, () => connections() === 50);
    expect(scene.clock.now() - start).toBeLessThanOrEqual(10_000);
    expect(links.flatMap(({ facts }) => facts.slice(2))).toEqual([]);
  });
});
