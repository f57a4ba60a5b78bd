import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { ExternalIdUsedError } from '../../../../actors/runtime/sessions.ts';
import { externalKey } from '../../../../actors/session/external-key.ts';
import { externalIdsIn } from '../../../../projections/external-ids-in.ts';
import { createProjectionRunner } from '../../../../projections/projection-runner.ts';
import type { SessionViews } from '../../../../projections/session-view.ts';
import { createPlainSealer } from '../../../support/actors/plain-sealer.ts';
import { away, eventsOf, openWorld, typesOf, type World } from '../../../support/actors/sessions-world.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../../support/store/memory-view-database.ts';

/** The commands over a store that fails on demand, and the views that follow its log. */

let world: World;
let views: SessionViews;
let index: Parameters<typeof openWorld>[4]['externalIds'];

beforeEach(async () => {
  const clock = createDrivenClock();
  const store = createMemoryStore(clock);
  const runner = createProjectionRunner({
    store,
    database: createMemoryViewDatabase(),
    clock,
    reportUnreadable: allReadable,
    onError: () => {},
  });
  views = runner;
  index = externalIdsIn(views);
  await runner.start();
  world = openWorld(clock, store, createPlainSealer(), 1, { externalIds: index });
  await world.sessions.start();
});

const used = (id: string): Error => new ExternalIdUsedError(`externalId is used by session ${id}`);
const create = (externalId: string) => world.sessions.create({ externalId });

describe('an external ID', () => {
  it('[OS1.2] belongs to one of many sessions that are created at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => create('customer-1')));
    const made = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    const [holder] = views.list({ limit: 100 });
    expect(views.list({ limit: 100 })).toHaveLength(1);
    expect(world.sessions.liveCount()).toBe(1);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(reasons).toEqual(reasons.map(() => used(holder?.id ?? '')));
  });

  it('[OS1.2] is not given to a second session by a change either', async () => {
    const one = await create('customer-1');
    const other = await create('customer-2');
    const changes = await Promise.allSettled([
      world.sessions.rename(other.id, { externalId: 'customer-1' }),
      world.sessions.rename(one.id, { externalId: 'customer-3' }),
      world.sessions.rename(other.id, { externalId: 'customer-3' }),
    ]);
    expect(changes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(typesOf(await eventsOf(world, other.id))).not.toContain('SessionRenamed');
  });

  it('[OS1.2] may be given again to the session that has it', async () => {
    const { id } = await create('customer-1');
    await Promise.all([
      world.sessions.rename(id, { externalId: 'customer-1' }),
      world.sessions.rename(id, { externalId: 'customer-1', label: 'Desk' }),
    ]);
    expect(views.get(id)).toMatchObject({ externalId: 'customer-1', label: 'Desk' });
    await expect(create('customer-1')).rejects.toEqual(used(id));
  });

  it('[OS1.2] still belongs to its session after a restart', async () => {
    const { id } = await create('customer-1');
    world = await world.restart({ externalIds: index });
    await expect(create('customer-1')).rejects.toEqual(used(id));
  });

  it('[CL5.10] is being given: its partition is finished when that has ended, and released at once', async () => {
    const { clock, sessions } = world;
    const key = externalKey('customer-1', undefined);
    const end = sessions.holdExternalId(key, 'a session of another process');
    clock.setTimeout(() => end(0n), 400);
    const from = clock.elapsed();
    const after: number[] = [];
    const note = (): void => void after.push(clock.elapsed() - from);
    const partition = { has: (text: string) => text === key, numbers: [0] };
    void sessions.finish(partition)?.then(note);
    void sessions.release(partition).then(note);
    expect(sessions.finish({ has: () => false })).toBeUndefined();
    for (let ms = 0; ms < 1_000; ms += 100) await clock.advance(100);
    expect(after).toEqual([0, 400]);
    expect(sessions.finish(partition)).toBeUndefined();
  });

  it('[OS1.3] is free after its session was deleted, or got another', async () => {
    const deleted = await create('customer-1');
    const changed = await create('customer-2');
    const { position } = await world.sessions.delete(deleted.id);
    await world.sessions.rename(changed.id, { externalId: '' });
    await views.waitFor(position);
    await world.clock.settle();
    expect(views.get((await create('customer-1')).id)).toMatchObject({ externalId: 'customer-1' });
    expect(views.get((await create('customer-2')).id)).toMatchObject({ externalId: 'customer-2' });
  });

  it('[OS1.3] is free if the session that was to have it was not created', async () => {
    world.faults.push(...away('fails-before'));
    const failed = create('customer-1');
    await Promise.all([expect(failed).rejects.toThrow(StoreUnavailableError), world.clock.advance(60_000)]);
    await create('customer-1');
  });

  it.each(['fails-before', 'fails-after'] as const)(
    '[OS1.4] is kept until it is known whether its session was recorded (%s)',
    async (kind) => {
      let isAway = true;
      world.store.last = async (stream) => {
        if (isAway) throw new StoreUnavailableError('the store did not answer');
        return world.below.last(stream);
      };
      world.faults.push(...away(kind));
      const [failed] = await Promise.allSettled([create('customer-1'), world.clock.advance(60_000)]);
      expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
      await expect(create('customer-1')).rejects.toThrow(StoreUnavailableError);
      isAway = false;
      await world.clock.advance(60_000);
      const [recorded] = views.list({ limit: 10 });
      expect(recorded !== undefined).toBe(kind === 'fails-after');
      if (recorded === undefined) await create('customer-1');
      else await expect(create('customer-1')).rejects.toEqual(used(recorded.id));
    },
  );
});
