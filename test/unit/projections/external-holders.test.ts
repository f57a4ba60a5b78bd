import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionFact } from '../../../actors/session/events.ts';
import { externalKey } from '../../../actors/session/external-key.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

/** The log gives one external ID to two sessions: two processes have done so without knowing of each other. */

let clock: DrivenClock;
let store: EventStore;
let views: ProjectionRunner;
let numbers = 0;
let random: ReturnType<typeof createSeededRandomness>;

beforeEach(async () => {
  clock = createDrivenClock();
  random = createSeededRandomness(1, clock);
  store = createMemoryStore(clock);
  views = await open();
});

async function open(): Promise<ProjectionRunner> {
  const folder = await createTemporaryFolder();
  numbers += 1;
  const database = openViewDatabase(join(folder.path, `views-${numbers}.db`));
  const runner = createProjectionRunner({ store, database, clock, onError: () => {}, reportUnreadable: allReadable });
  onTestFinished(async () => {
    await runner.stop();
    database.close();
    await folder.remove();
  });
  await runner.start();
  return runner;
}

async function record(id: string, fact: SessionFact): Promise<void> {
  const to = fact.type === 'SessionDeleted' ? 'deleted' : 'qrPending';
  const { position } = await store.append(`session-${id}`, 'any', [sessionEvent(random.uuid(), fact, { to })]);
  await views.waitFor(position);
}
const create = (id: string, externalId?: string, more: object = {}): Promise<void> =>
  record(id, { ...created, ...(externalId !== undefined && { externalId }), ...more });
const rename = (id: string, externalId: string, label?: string): Promise<void> =>
  record(id, { type: 'SessionRenamed', externalId, ...(label !== undefined && { label }) });
const remove = (id: string): Promise<void> => record(id, { type: 'SessionDeleted' });
const holder = (externalId: string, tenant?: string): string | undefined =>
  views.byExternalKey(externalKey(externalId, tenant))?.id;

describe.each([
  ['before the views are saved', async () => {}],
  ['after the views are saved', () => clock.advance(200)],
])('[CL5.13] an external ID in the log twice, %s', (_, between) => {
  it('is the first session’s, and the other is created without', async () => {
    await create('a', 'x');
    await between();
    await create('b', 'x', { label: 'desk' });
    expect([holder('x'), views.get('b')?.externalId, views.get('b')?.label]).toEqual(['a', undefined, undefined]);
  });

  it('is the first session’s, and the other keeps its names', async () => {
    await create('a', 'x');
    await create('b', 'y', { label: 'desk' });
    await between();
    await rename('b', 'x', 'shop');
    expect([holder('x'), holder('y')]).toEqual(['a', 'b']);
    expect(views.get('b')).toMatchObject({ externalId: 'y', label: 'desk' });
  });

  it('is not the other’s when the first has it no more, until it is given it again', async () => {
    await create('a', 'x');
    await create('b');
    await between();
    await rename('b', 'x');
    await between();
    await remove('a');
    expect(holder('x')).toBeUndefined();
    await between();
    await rename('b', 'x');
    expect(holder('x')).toBe('b');
  });

  it('is each tenant’s own', async () => {
    await create('a', 'x', { tenant: 'one' });
    await between();
    await create('b', 'x', { tenant: 'two' });
    await create('c', 'x');
    expect([holder('x', 'one'), holder('x', 'two'), holder('x')]).toEqual(['a', 'b', 'c']);
  });
});

it('[CL5.13] [OS1.2] of random sessions and names: one live session has each, the first in the log, also in views that are built anew', async () => {
  const ids = Array.from({ length: 12 }, (_, number) => `s${number}`);
  const names = ['x', 'y', 'z', ''];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.fraction() * from.length)] as T;
  const live = new Map<string, string>();
  const gone = new Set<string>();
  for (let step = 0; step < 1_000; step += 1) {
    const id = pick(ids);
    const name = pick(names);
    const isTaken = name !== '' && [...live].some(([other, has]) => other !== id && has === name);
    if (gone.has(id)) continue;
    if (!live.has(id)) {
      await create(id, name || undefined);
      live.set(id, isTaken ? '' : name);
    } else if (random.fraction() < 0.01) {
      await remove(id);
      live.delete(id);
      gone.add(id);
    } else {
      await rename(id, name);
      if (!isTaken) live.set(id, name);
    }
    if (random.fraction() < 0.1) await clock.advance(200);
    for (const one of ['x', 'y', 'z']) expect(holder(one)).toBe([...live].find(([, has]) => has === one)?.[0]);
  }
  const anew = await open();
  for (const id of ids) expect(anew.get(id)).toEqual(views.get(id));
});
