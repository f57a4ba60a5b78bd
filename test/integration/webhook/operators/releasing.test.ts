import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { allPartitions, NotOwnerError } from '../../../../actors/ports/ownership.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { OperatorsWorld } from '../../../support/webhook/operators-world.ts';

let world: OperatorsWorld;
beforeEach(async () => {
  world = await new OperatorsWorld().begin();
});
afterEach(() => world.end());

const wish = { endpoint: { url: 'http://127.0.0.1:1/', token: '' }, events: ['session.deleted'], keyId: undefined };

/** Does something before each read of the place of a webhook. */
function whenOpened(act: () => Promise<void>): void {
  const read = world.store.read.bind(world.store);
  world.store.read = async function* (stream, options) {
    if (stream.startsWith('place-')) await act();
    yield* read(stream, options);
  };
}

/** A session that logs in, which a webhook is told of. */
async function session(): Promise<string> {
  await world.clock.advance(1);
  const { id, position } = await world.sessions.create({});
  await world.views.waitFor(position);
  await world.links.of(id).report(linkFact('LoggedIn', 1));
  await world.settle();
  return id;
}

describe('operators’ webhooks that have left the process', () => {
  it.each([false, true])('[CL2.10] are not started if they are being opened meanwhile; lost: %s', async (isLost) => {
    const webhook = await world.add('/ops');
    await world.operators.release(allPartitions, false);
    const gate = createGate();
    whenOpened(() => gate.passed);
    const taken = world.operators.take(allPartitions);
    await world.settle();
    await world.operators.release(allPartitions, isLost);
    gate.open();
    await taken;
    await session();
    expect(world.at('/ops')).toEqual([]);
    expect(world.operators.status(webhook)).toMatchObject({ pending: 0 });

    await world.operators.take(allPartitions);
    await world.settle();
    expect(world.at('/ops').map(({ type }) => type)).toEqual(['session.connected']);
  });

  it('[CL2.10] are opened at the place that is saved by then, if they are taken again meanwhile', async () => {
    await world.add('/ops');
    await world.operators.release(allPartitions, false);
    const gate = createGate();
    whenOpened(() => gate.passed);
    const taken = world.operators.take(allPartitions);
    await world.settle();
    await world.operators.release(allPartitions, true);
    const again = world.operators.take(allPartitions);
    gate.open();
    await Promise.all([taken, again]);
    await session();
    expect(world.at('/ops')).toHaveLength(1);
  });

  it('[CL2.10] refuse a replay', async () => {
    const webhook = await world.add('/ops');
    await session();
    const gate = createGate();
    world.behaviour = (response) => void gate.passed.then(() => response.end());
    await session();
    const released = world.operators.release(allPartitions, false);
    await expect(world.operators.replay(webhook, { parked: true })).rejects.toThrow('have ended');
    gate.open();
    await released;
    // It is not paused: the next owner answers.
    await expect(world.operators.replay(webhook, { parked: true })).rejects.toBeInstanceOf(NotOwnerError);
    await world.operators.take(allPartitions);
    expect(await world.operators.replay(webhook, { parked: true })).toBe(true);
  });

  it('[CL2.8] leave a replay that is being recorded to the next owner', async () => {
    const webhook = await world.add('/ops');
    const id = await session();
    await world.pass(30_000);
    const gate = createGate();
    const append = world.store.append.bind(world.store);
    let isHeld = false;
    world.store.append = async (stream, ...rest) => {
      if (stream.startsWith('place-')) {
        isHeld = true;
        await gate.passed;
      }
      return append(stream, ...rest);
    };
    const replayed = world.operators.replay(webhook, { session: id, from: 1 });
    await world.settle();
    expect(isHeld).toBe(true);
    let isReleased = false;
    const released = world.operators.release(allPartitions, false).then(() => {
      isReleased = true;
    });
    await world.settle();
    expect(isReleased).toBe(false);
    gate.open();
    expect(await replayed).toBe(true);
    await released;
    await world.operators.take(allPartitions);
    await world.settle();
    expect(world.at('/ops').map(({ type }) => type)).toEqual(['session.connected', 'session.connected']);
  });
});

describe('an operators’ webhook of another process’s making', () => {
  beforeEach(() => world.operators.take(allPartitions));

  it('[FA7.1] that cannot be started is reported, and stops no other', async () => {
    whenOpened(() => Promise.reject(new TypeError('a defect')));
    await world.operators.book.add(wish, undefined, 'owner', () => {});
    await world.settle();
    expect(world.logLines.join('\n')).toContain('an operators’ webhook could not be started');
    await world.operators.release(allPartitions, false);
    await world.operators.take(allPartitions);
  });

  it('[OP2.2] that waits for the store when the service stops is no error', async () => {
    whenOpened(() => Promise.reject(new StoreUnavailableError('away')));
    await world.operators.book.add(wish, undefined, 'owner', () => {});
    await world.settle();
    await world.operators.stop();
    await world.settle();
    expect(world.logLines.join('\n')).not.toContain('could not be started');
  });
});
