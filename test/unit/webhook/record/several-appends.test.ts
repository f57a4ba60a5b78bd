import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountUpdate, RecordClosedError } from '../../../../src/telegram/port/updates.ts';
import { bob, deletion, positionAt, RecordWorld, read } from '../../../support/webhook/record-world.ts';

let world: RecordWorld;
beforeEach(async () => {
  world = await new RecordWorld().start();
});

describe('more than one append can hold', () => {
  const long = 'x'.repeat(4_000);
  const many = (): AccountUpdate[] =>
    Array.from({ length: 400 }, (_, index) => world.message(index + 1, { text: long }));

  it('[WH4.1] is several, and the position moves with the last', async () => {
    await world.record.record(many(), positionAt(7), positionAt(407));
    const events = await world.recorded();
    expect(events.map(({ metadata }) => metadata.seq)).toEqual(events.map((_, index) => index + 1));
    const positions = events.map(({ metadata }) => metadata.position.pts);
    expect(new Set(positions)).toEqual(new Set([7, 407]));
    expect(positions.toSorted((one, other) => one - other)).toEqual(positions);
    expect(events.at(-1)?.metadata).not.toHaveProperty('unfinishedUpTo');
  });

  it('[WH5.2] does not come twice where the rest was lost in a crash', async () => {
    world.faults = [undefined, ...Array.from({ length: 50 }, () => ({ kind: 'fails-before' }) as const)];
    const cut = world.record.record(many(), positionAt(7), positionAt(407));
    cut.catch(() => {});
    await world.clock.settle();
    world.record.close();
    await expect(cut).rejects.toThrow(RecordClosedError);
    const half = (await world.recorded()).length;
    expect(half).toBeGreaterThan(50);
    expect(half).toBeLessThan(400);

    world.faults = [];
    const next = world.open();
    expect(await next.resume()).toEqual(positionAt(7));
    await next.record(many(), positionAt(7), positionAt(407));
    const events = await world.recorded();
    expect(events.map(({ content }) => content.message.id)).toEqual(events.map((_, index) => index + 1));
    expect(events).toHaveLength(400);
    expect(events.map(({ metadata }) => metadata.seq)).toEqual(events.map((_, index) => index + 1));
    expect(await world.open().resume()).toEqual(positionAt(407));
  });

  it('[WH5.2] has one event an update, also of edits, reads and deletions, where the rest was lost in a crash', async () => {
    const edit = (messageId: number, text = `edited ${messageId}`): AccountUpdate => ({
      type: 'message.edited',
      at: undefined,
      missed: true,
      user: bob,
      message: { id: messageId, chatId: bob.id, created: 0, fromMe: false, text },
    });
    const ids = Array.from({ length: 600 }, (_, index) => index + 1);
    await world.record.record([], positionAt(7), positionAt(7));
    const first = [
      ...ids.map((each) => world.message(each)),
      read(true),
      deletion(3, 4),
      ...ids.map((each) => edit(each)),
    ];
    world.faults = [undefined, ...Array.from({ length: 50 }, () => ({ kind: 'fails-before' }) as const)];
    const cut = world.record.record(first, positionAt(7), positionAt(1209));
    cut.catch(() => {});
    await world.clock.settle();
    world.record.close();
    await expect(cut).rejects.toThrow(RecordClosedError);
    const before = await world.recorded();
    const edits = before.filter(({ type }) => type === 'MessageEdited').length;
    expect(edits).toBeGreaterThan(5);
    expect(edits).toBeLessThan(600);

    world.faults = [];
    // Meanwhile messages have come, and one that was edited has been edited again; Bob has another name.
    const renamed = (update: AccountUpdate): AccountUpdate =>
      'user' in update ? { ...update, user: { ...bob, name: 'Bob Marble' } } : update;
    const next = world.open();
    await next.record(
      [
        ...ids.map((each) => world.message(each)),
        world.message(601),
        read(true),
        read(true),
        deletion(3, 4),
        ...ids.map((each) => edit(each, each === 5 ? 'edited again' : undefined)),
      ].map(renamed),
      positionAt(7),
      positionAt(1212),
    );
    const events = await world.recorded();
    expect(events.slice(0, before.length)).toEqual(before);
    const added = (await world.summary()).slice(before.length).map((line) => line.replace(/^\d+ /, ''));
    expect(added).toEqual([
      'MessageReceived 601',
      'MessagesRead',
      'MessageEdited 5',
      ...ids.slice(edits).map((each) => `MessageEdited ${each}`),
    ]);
    expect(events.map(({ metadata }) => metadata.seq)).toEqual(events.map((_, index) => index));
    expect(await world.open().resume()).toEqual(positionAt(1212));
  });
});
