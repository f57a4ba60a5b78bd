import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamKinds } from '../../../actors/ports/event-codec.ts';
import {
  allCells,
  type Cell,
  openPoisonedScene,
  type PoisonedScene,
  type PoisonedSession,
} from '../../support/e2e/poisoned-scene.ts';
import {
  damages,
  laterSeq,
  type PoisonedStore,
  plantedSecret,
  poisonedStores,
} from '../../support/e2e/poisoned-store.ts';

/** Every kind of damage in every kind of stream, before a start and while the gateway runs, on every store. */

const columns = Object.entries(poisonedStores).flatMap(([store, open]) =>
  (['while the gateway runs', 'before its start'] as const).map((moment) => [store, moment, open] as const),
);
const isHolding = ({ kind }: Cell): boolean => kind === 'session' || kind === 'vault';
const holding = allCells.filter((cell) => isHolding(cell));
const passedOver = allCells.filter((cell) => !isHolding(cell));

const notFound = { status: 500, body: { statusCode: 500, message: 'session not found' } };
const message = 'the idempotency keys of this session cannot be read';
const keysUnreadable = { status: 503, body: { statusCode: 503, message } };

describe.each(columns)('an event that cannot be read, on %s, %s', (_store, moment, open) => {
  let store: PoisonedStore;
  let poisoned: PoisonedScene;
  beforeAll(async () => {
    store = await open();
    poisoned = await openPoisonedScene(store);
    if (moment === 'before its start') await poisoned.scene.gateway.crash();
    await poisoned.poison();
    if (moment === 'before its start') await poisoned.restart();
  });
  afterAll(() => poisoned.close());

  it('[FA7.5] is named by replay with stream, revision and reason, which exits with 1', () => {
    const { named, replay } = poisoned;
    const reasons = named.map((event) => event.replace(/-\S+ \d+ /, ' '));
    const ofSessions = allCells.map(({ kind, damage }) => `${kind} ${damages[damage].reason}`);
    const ofNone = streamKinds.flatMap((kind) => [`${kind} broken-json`, `${kind} ${store.notJson}`]);
    const expected = [...ofSessions, ...ofNone].map((reason) => store.streamPrefix + reason);
    expect(reasons.toSorted()).toEqual(expected.toSorted());
    expect(replay.output).toContain(`no drift, ${expected.length} events cannot be read`);
    expect(replay.output).not.toContain(plantedSecret);
    expect(replay.code).toBe(1);
  });

  describe.each([1, 2])('round %i of use, each in a process of its own', (round) => {
    beforeAll(async () => {
      if (round === 2) await poisoned.restart();
      await poisoned.useAll(`round ${round}`);
    });
    const allTexts = ['before'];
    for (let past = 1; past <= round; past += 1) allTexts.push(`round ${past}, first`, `round ${past}, second`);

    /** Those by which the session refused something. */
    const expectToLive = ({ isHeld, answers, texts }: PoisonedSession): Record<string, unknown> => {
      expect(isHeld).toBe(false);
      expect(answers['GET /session']).toMatchObject({ status: 200, body: { isConnected: true } });
      expect(texts).toEqual(allTexts);
      return Object.fromEntries(Object.entries(answers).filter(([, { status }]) => status !== 200));
    };

    it.each(holding)('[FA7.2] [AU2.1] holds the session, and nothing deletes it: $kind, $damage', (cell) => {
      const { isHeld, answers, texts } = poisoned.sessionOf(cell);
      expect(isHeld).toBe(true);
      expect(Object.keys(answers)).toContain('DELETE /session');
      for (const answer of Object.values(answers)) {
        expect(answer).toMatchObject(notFound);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      // A vault whose key is at hand is met when the login is saved.
      const isMetLater = cell.kind === 'vault' && moment === 'while the gateway runs';
      expect(texts).toEqual(isMetLater ? ['before', 'round 1, first'] : ['before']);
    });

    it.each(passedOver)('[FA7.3] [FA7.4] lets the session go on: $kind, $damage', (cell) => {
      const session = poisoned.sessionOf(cell);
      const refused = expectToLive(session);
      if (cell.kind !== 'send') expect(refused).toEqual({});
      else {
        expect(Object.keys(refused)).toEqual(['POST /message, new key', 'POST /message, used key']);
        for (const answer of Object.values(refused)) expect(answer).toMatchObject(keysUnreadable);
      }
      const isNumbered = cell.kind === 'delivery' && cell.damage === 'of a later version';
      const parked = { seq: laterSeq, error: 'its event cannot be read: newer-version' };
      expect(session.answers['GET /session/webhook/parked']?.body).toMatchObject({ docs: isNumbered ? [parked] : [] });
    });

    it('[FA7.1] harms no other session, and the gateway takes new ones', async () => {
      const { neighbour, scene } = poisoned;
      expect(expectToLive(neighbour)).toEqual({});
      expect(neighbour.answers['POST /message, used key']?.body).toEqual(neighbour.usedBefore.body);
      expect((await scene.gateway.http.request('GET', '/health/ready')).status).toBe(200);
      const created = await scene.create();
      await scene.qrLink(created);
      expect((await scene.request(created, 'DELETE', '/session')).status).toBe(200);
    });

    it('[FA7.1] is logged once and counted once, without what it holds', async () => {
      const { named, reported, log } = poisoned;
      const kindsOf = (kinds: string): RegExp => new RegExp(`^${store.streamPrefix}(${kinds})-(?!of-another)`);
      // What has been passed over and left behind is not read again.
      const met = kindsOf(round === 1 ? 'session|vault|send|delivery|outbox' : 'session|vault|send');
      expect(named).toEqual(expect.arrayContaining(reported));
      expect(reported).toEqual(expect.arrayContaining(named.filter((event) => met.test(event))));
      expect(new Set(reported).size).toBe(reported.length);
      const countOf = (kind: string): number =>
        reported.filter((event) => event.startsWith(`${store.streamPrefix}${kind}-`)).length;
      expect(await poisoned.counted()).toEqual(Object.fromEntries(streamKinds.map((kind) => [kind, countOf(kind)])));
      expect(log).not.toContain(plantedSecret);
    });
  });

  it.each(passedOver)('[FA7.1] does not keep its session from being reset or deleted: $kind, $damage', async (cell) => {
    const { scene } = poisoned;
    const { caller } = poisoned.sessionOf(cell);
    expect((await scene.request(caller, 'POST', '/session/reset', {})).status).toBe(200);
    expect(await scene.read(caller, ({ qrcode }) => qrcode !== '')).toMatchObject({ isConnected: false });
    expect((await scene.request(caller, 'DELETE', '/session')).status).toBe(200);
    expect((await scene.request(caller, 'GET', '/session')).status).toBe(404);
  });
});
