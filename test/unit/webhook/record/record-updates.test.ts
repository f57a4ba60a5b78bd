import { beforeEach, describe, expect, it } from 'vitest';
import { RecordClosedError, RecordSupersededError } from '../../../../src/telegram/port/updates.ts';
import { bob, cara, deletion, positionAt, RecordWorld, read } from '../../../support/webhook/record-world.ts';

let world: RecordWorld;
beforeEach(async () => {
  world = await new RecordWorld().start();
});

describe('the record of a session', () => {
  it('[WH2.1] numbers what is delivered without a gap, and keeps the position with it', async () => {
    await world.record.record([], positionAt(4), positionAt(4));
    await world.record.record([world.message(1), world.message(2, { user: cara })], positionAt(4), positionAt(6));
    await world.record.record(
      [{ type: 'message.sent', at: undefined, missed: false, user: bob, messageId: 3 }],
      positionAt(6),
      positionAt(7),
    );
    await world.record.record([world.message(4)], positionAt(7), positionAt(8));
    expect(await world.summary()).toEqual([
      '0 RecordingStarted',
      '1 MessageReceived 1',
      '2 MessageReceived 2',
      '2 MessageSent 3',
      '3 MessageReceived 4',
    ]);
    const events = await world.recorded();
    expect(events.map(({ metadata }) => metadata.position.pts)).toEqual([4, 6, 6, 7, 8]);
    expect(events[1]?.metadata).toMatchObject({
      login: 1,
      since: world.since,
      chat: Buffer.from('print of 1002').toString('base64url'),
    });
    expect(events[1]?.metadata.chat).not.toBe(events[2]?.metadata.chat);
    expect(await world.open().resume()).toEqual(positionAt(8));
  });

  it('[WH5.1] records that it has begun once, however often Telegram tells that nothing has come', async () => {
    for (let time = 0; time < 3; time += 1) await world.record.record([], positionAt(7), positionAt(7 + time));
    expect(await world.summary()).toEqual(['0 RecordingStarted']);
  });

  it('[WH5.1] records nothing where there is no webhook', async () => {
    world.since = undefined;
    expect(world.record.isWanted).toBe(false);
    await world.record.record([world.message(1)], positionAt(0), positionAt(1));
    expect(await world.recorded()).toEqual([]);
    expect(await world.record.resume()).toBeUndefined();
  });

  it('[WH5.1] leaves out what is from before the webhook, until it has begun', async () => {
    const before = (world.since ?? 0) - 1_000;
    await world.record.record(
      [world.message(1, { at: before }), read(true), deletion(1)],
      positionAt(0),
      positionAt(3),
    );
    expect(await world.recorded()).toEqual([]);
    await world.record.record([world.message(2, { at: before + 1 }), read(false)], positionAt(3), positionAt(5));
    await world.record.record([world.message(3, { at: before }), read(true)], positionAt(5), positionAt(7));
    expect(await world.summary()).toEqual([
      '1 MessageReceived 2',
      '2 MessagesRead',
      '3 MessageReceived 3',
      '4 MessagesRead',
    ]);
  });

  it('[WH5.1] begins anew with another webhook, and with another login', async () => {
    await world.record.record([world.message(1)], positionAt(0), positionAt(1));
    await world.clock.advance(5_000);
    world.since = world.clock.now();
    await world.record.record([world.message(2, { at: world.since - 2_000 })], positionAt(1), positionAt(2));
    await world.record.record([], positionAt(2), positionAt(2));
    const next = world.open(2);
    expect(await next.resume()).toBeUndefined();
    await next.record([world.message(1, { at: world.since - 2_000 })], positionAt(700), positionAt(701));
    await next.record([world.message(5)], positionAt(701), positionAt(702));
    expect(await world.summary()).toEqual(['1 MessageReceived 1', '1 RecordingStarted', '2 MessageReceived 5']);
  });

  it('[WH3.4] tells of deletions in the private chats that it knows, each chat for itself', async () => {
    await world.record.record(
      [world.message(1), world.message(2, { user: cara }), world.message(3), world.message(8)],
      positionAt(0),
      positionAt(4),
    );
    await world.record.record([deletion(1, 2, 3, 7)], positionAt(4), positionAt(8));
    await world.record.record([world.message(9), deletion(9, 8)], positionAt(8), positionAt(11));
    await world.record.record([deletion(77)], positionAt(11), positionAt(12));
    const deleted = (await world.recorded()).filter(({ type }) => type === 'MessagesDeleted');
    expect(deleted.map(({ content }) => [content.user.name, ...content.messageIds])).toEqual([
      ['Bob Stone', 1, 3],
      ['Cara', 2],
      ['Bob Stone', 9, 8],
    ]);
  });

  it('calls its session when a webhook has been set, until it is closed', () => {
    const calls: string[] = [];
    const first = world.recording.open(world.id, 1, () => calls.push('first'));
    world.recording.webhookSet(world.id);
    const second = world.recording.open(world.id, 2, () => calls.push('second'));
    first.close();
    world.recording.webhookSet(world.id);
    second.close();
    world.recording.webhookSet(world.id);
    expect(calls).toEqual(['first', 'second']);
  });
});

describe('a store that fails', () => {
  it.each(['fails-before', 'fails-after'] as const)('[WH4.1] is asked again, with the same IDs: %s', async (kind) => {
    await world.record.record([world.message(1)], positionAt(0), positionAt(1));
    world.faults = [{ kind }, { kind }, { kind }];
    const recorded = world.record.record([world.message(2), world.message(3)], positionAt(1), positionAt(3));
    await world.clock.advance(10_000);
    await recorded;
    await world.record.record([world.message(4)], positionAt(3), positionAt(4));
    expect(await world.summary()).toEqual([1, 2, 3, 4].map((number) => `${number} MessageReceived ${number}`));
    expect(new Set((await world.recorded()).map((event) => event.id)).size).toBe(4);
  });

  it('[OP7.2] is world.logged once a minute, however often it is tried', async () => {
    world.faults = Array.from({ length: 1000 }, () => ({ kind: 'fails-before' }) as const);
    const recorded = world.record.record([world.message(1)], positionAt(0), positionAt(1));
    recorded.catch(() => {});
    const tries = (): number => 1000 - world.faults.length;
    await world.clock.advance(10 * 60_000);
    expect(tries()).toBeGreaterThan(20);
    expect(world.logged.length).toBeGreaterThanOrEqual(8);
    expect(world.logged.length).toBeLessThanOrEqual(11);
    world.record.close();
    await expect(recorded).rejects.toThrow(RecordClosedError);
  });

  it('[WH4.1] lets go of what is not recorded when it is closed', async () => {
    world.faults = Array.from({ length: 100 }, () => ({ kind: 'fails-before' }) as const);
    const recorded = world.record.record([world.message(1)], positionAt(0), positionAt(1));
    recorded.catch(() => {});
    await world.clock.advance(60_000);
    world.record.close();
    await expect(recorded).rejects.toThrow(RecordClosedError);
    expect(world.clock.armed()).toBe(0);
    expect(await world.recorded()).toEqual([]);
  });

  it('[WH4.1] that another writer has appended to is given up, and read anew', async () => {
    await world.record.record([world.message(1)], positionAt(0), positionAt(1));
    const rival = world.open();
    await rival.record([world.message(2)], positionAt(1), positionAt(2));
    await expect(world.record.record([world.message(2)], positionAt(1), positionAt(2))).rejects.toThrow(
      RecordSupersededError,
    );
    expect(await world.record.resume()).toEqual(positionAt(2));
    await world.record.record([world.message(3)], positionAt(2), positionAt(3));
    expect(await world.summary()).toEqual([1, 2, 3].map((number) => `${number} MessageReceived ${number}`));
  });
});
