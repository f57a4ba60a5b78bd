import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import { openVault } from '../../../src/store/vault/vault.ts';
import { createScriptedLinks } from '../../support/actors/scripted-link.ts';
import { loadHistory, loadResult, loadShapes, recordedVersions } from '../../support/histories/history-files.ts';
import { liveThroughAll } from '../../support/histories/live.ts';
import { liveAsOperator, operatorsHistory } from '../../support/histories/operators-history.ts';
import { masterKeys, readHistory } from '../../support/histories/read-history.ts';
import { operatorCodecs, type Shapes, todaysShapes, unversionedChanges } from '../../support/histories/shapes.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const clock = createDrivenClock();
const versions = recordedVersions();
/** What only several nodes, a Telegram that is away for a day, a channel's box, or the pace of an account write: their own tests read it. */
const notLived = [
  'session OwnerChanged',
  'session LogOutGivenUp',
  'delivery MessageSeen',
  'send TurnTaken',
  'send ChatBegun',
  'vault LogOutKept',
];

describe.each(versions)('what %s wrote', (version) => {
  it('[FA7.6] is read by today’s code, to the same result', async () => {
    const store = createMemoryStore(clock, loadHistory(version));
    // What later versions show beside it may be there too.
    expect(await readHistory(store)).toMatchObject(loadResult(version) as object);
  });

  it('[FA7.6] is taken up: each session goes on where it was', async () => {
    const store = createMemoryStore(clock, loadHistory(version));
    const random = createSeededRandomness(2, clock);
    const vault = openVault({ store, masterKeys, randomness: random, clock, reportUnreadable: allReadable });
    const { ids } = await vault.listVaults();
    const links = createScriptedLinks();
    const sessions = createSessionCommands({
      store,
      sealer: vault,
      clock,
      random,
      createTelegramSession: links.create,
      node: 'test',
      reportUnreadable: allReadable,
      unfinishedErasures: () => ids,
    });
    await sessions.start();
    const { sessions: recorded } = loadResult(version) as { sessions: Record<string, { view: { state: string } }> };
    const goesOnAs: Record<string, string | undefined> = { connected: 'disconnected', deleted: undefined };
    for (const [id, { view }] of Object.entries(recorded)) {
      expect(sessions.state(id)).toBe(view.state in goesOnAs ? goesOnAs[view.state] : view.state);
    }
    expect(links.all.length).toBeGreaterThan(0);
    await sessions.stop();
  });

  it('[FA7.6] has events of every type that there was', () => {
    const { log } = loadHistory(version);
    const written = new Set(log.map(({ stream, type }) => `${stream.replace(/-.*/, '')} ${type}`));
    const types = Object.entries(loadShapes(version)).flatMap(([kind, { shape }]) =>
      Object.keys(shape.data).map((type) => `${kind} ${type}`),
    );
    expect(types.length).toBeGreaterThan(25);
    expect(types.filter((type) => !written.has(type))).toEqual([]);
  });

  it('[FA7.6] has the shapes of today, unless their version is another', () => {
    expect(unversionedChanges(loadShapes(version), todaysShapes())).toEqual([]);
  });
});

it('[FA7.6] what is recorded for a release has keys, links, usage and limits, and is read again', async () => {
  const lived = createDrivenClock();
  const store = createMemoryStore(lived);
  await liveAsOperator({ store, clock: lived });
  const types = new Set<string>();
  for await (const { stream, type } of store.readAll()) types.add(`${stream.replace(/-.*/, '')} ${type}`);
  const expected = operatorCodecs.flatMap(({ kind, shape }) =>
    Object.keys(shape.data).map((type) => `${kind} ${type}`),
  );
  expect([...types].toSorted()).toEqual(expected.toSorted());
  expect(await operatorsHistory(store)).toMatchObject({
    keys: [
      { name: 'desk', limits: { sendsPerDay: 100 } },
      { name: 'worker', revoked: lived.now() },
    ],
    links: [{ end: { how: 'used' }, sessionsMade: 1 }, { end: { how: 'withdrawn' } }],
    usage: [{ tenant: 'acme', sent: 2, mediaBytes: 2 }],
  });
});

it('[FA7.6] what is recorded for a release has events of every type', async () => {
  const world = await liveThroughAll();
  const written = new Set(world.disk.log.map(({ stream, type }) => `${stream.replace(/-.*/, '')} ${type}`));
  await world.end();
  const types = Object.entries(todaysShapes()).flatMap(([kind, { shape }]) =>
    Object.keys(shape.data).map((type) => `${kind} ${type}`),
  );
  expect(types.filter((type) => !written.has(type))).toEqual(notLived);
});

describe('the check of shapes', () => {
  const metadata = Type.Object({ at: Type.Number() });
  const lit = Type.Object({ watts: Type.Number() });
  const before: Shapes = { lamp: { version: 1, shape: { data: { Lit: lit }, metadata } } };
  const dimmed = Type.Object({ watts: Type.Number(), colour: Type.Optional(Type.String()) });

  it.each<[string, Shapes, string[]]>([
    ['nothing', before, []],
    ['a field', { lamp: { version: 1, shape: { data: { Lit: dimmed }, metadata } } }, ['lamp: Lit']],
    ['a type', { lamp: { version: 1, shape: { data: { Lit: lit, PutOut: lit }, metadata } } }, ['lamp: PutOut']],
    ['a type that is gone', { lamp: { version: 1, shape: { data: {}, metadata } } }, ['lamp: Lit']],
    ['the metadata', { lamp: { version: 1, shape: { data: { Lit: lit }, metadata: dimmed } } }, ['lamp: the metadata']],
    ['a field, in a new version', { lamp: { version: 2, shape: { data: { Lit: dimmed }, metadata } } }, []],
    [
      'the version, backwards',
      { lamp: { version: 0, shape: before['lamp']!.shape } },
      ['lamp: version 0 is older than 1'],
    ],
    ['a kind that is gone', {}, ['lamp: is not read any more']],
  ])('[FA7.6] finds what has changed without a version: %s', (_what, today, found) => {
    expect(unversionedChanges(before, today)).toEqual(found);
  });

  it('[FA7.6] has a recorded version to compare with', () => {
    expect(versions).toContain('v0.1.0');
  });
});
