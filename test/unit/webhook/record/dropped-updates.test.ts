import { beforeEach, describe, expect, it } from 'vitest';
import { UnreadableEventError } from '../../../../actors/ports/event-codec.ts';
import type { NewEvent } from '../../../../actors/ports/event-store.ts';
import type { AccountUpdate } from '../../../../src/telegram/port/updates.ts';
import type { DeliveryMetadata } from '../../../../src/webhook/stream/delivery-events.ts';
import { bob, deletion, positionAt, RecordWorld, read } from '../../../support/webhook/record-world.ts';

let world: RecordWorld;
beforeEach(async () => {
  world = await new RecordWorld().start();
});

describe('an update that cannot be recorded', () => {
  /** Left in what was read off Telegram: JSON has no form for it. */
  const big = 7n as unknown as number;
  const bigMessage = (): AccountUpdate => ({
    type: 'message',
    at: world.clock.now(),
    missed: false,
    user: bob,
    message: { id: 2, chatId: bob.id, created: big, fromMe: false, text: 'a secret' },
  });
  const unwritable: Record<string, () => AccountUpdate> = {
    message: bigMessage,
    'message.edited': () => ({ ...bigMessage(), type: 'message.edited' }) as AccountUpdate,
    'message.read': () => ({ ...read(false), upTo: big }) as AccountUpdate,
    'message.sent': () => ({ type: 'message.sent', at: undefined, missed: false, user: bob, messageId: big }),
  };

  it('[WH5.4] holds up no others if it is a deletion', async () => {
    await world.record.record([world.message(1), deletion(big, 1), world.message(3)], positionAt(0), positionAt(3));
    expect(await world.summary()).toEqual(['1 MessageReceived 1', '1 UpdateDropped', '2 MessageReceived 3']);
    expect((await world.recorded())[1]?.data).toEqual({
      dropped: { update: 'message.deleted', reason: 'not-serializable' },
    });
  });

  it('[FA7.2] is none because the vault of its session cannot be read: nothing is dropped', async () => {
    const unreadable = {
      kind: 'vault',
      stream: `vault-${world.id}`,
      revision: 0,
      position: 0n,
      reason: 'broken-json',
    } as const;
    world.sealFails = new UnreadableEventError(unreadable);
    await expect(world.record.record([world.message(1)], positionAt(0), positionAt(1))).rejects.toThrow(
      UnreadableEventError,
    );
    expect(await world.recorded()).toEqual([]);
  });

  it.each(Object.entries(unwritable))(
    '[WH5.4] holds up no others, and its type, chat and reason are recorded: %s',
    async (update, make) => {
      await world.record.record([world.message(1), make(), world.message(3)], positionAt(0), positionAt(3));
      expect(world.clock.armed()).toBe(0);
      expect(await world.summary()).toEqual(['1 MessageReceived 1', '1 UpdateDropped', '2 MessageReceived 3']);
      const events = await world.recorded();
      expect(events[1]?.metadata).toMatchObject({ chat: events[0]?.metadata.chat, position: positionAt(3) });
      expect(events[1]?.data).toEqual({ dropped: { update, reason: 'not-serializable' } });
      expect(JSON.stringify(events[1])).not.toContain('secret');
      expect(world.logged).toEqual([`an update cannot be recorded: it is dropped ${update} not-serializable`]);
      await world.record.record([world.message(4)], positionAt(3), positionAt(4));
      expect(await world.summary()).toContain('3 MessageReceived 4');
    },
  );

  it('[WH5.4] holds up no others if its chat is unknown', async () => {
    const withoutUser = { ...world.message(2), user: undefined } as unknown as AccountUpdate;
    const bigUser = world.message(3, { user: { ...bob, id: big as unknown as string } });
    await world.record.record([world.message(1), withoutUser, bigUser, deletion(1)], positionAt(0), positionAt(4));
    expect(await world.summary()).toEqual([
      '1 MessageReceived 1',
      '1 UpdateDropped',
      '1 UpdateDropped',
      '2 MessagesDeleted 1',
    ]);
    expect((await world.recorded())[1]?.metadata).not.toHaveProperty('chat');
  });

  it('[WH5.4] holds up no others if the store refuses it, alone or among others', async () => {
    const refuses = (events: readonly NewEvent[]): boolean =>
      events.some(({ metadata }) => (metadata as unknown as DeliveryMetadata).messageIds?.includes(2));
    world.refuse = (events) =>
      refuses(events) ? new RangeError('an append is larger than the store takes') : undefined;
    await world.record.record([world.message(1), world.message(2), world.message(3)], positionAt(0), positionAt(3));
    await world.record.record([world.message(2)], positionAt(3), positionAt(4));
    await world.record.record([world.message(5)], positionAt(4), positionAt(5));
    expect(await world.summary()).toEqual([
      '1 MessageReceived 1',
      '1 UpdateDropped',
      '2 MessageReceived 3',
      '2 UpdateDropped',
      '3 MessageReceived 5',
    ]);
    const events = await world.recorded();
    expect(events[1]?.data).toEqual({ dropped: { update: 'message', reason: 'not-written' } });
    expect(events.map(({ metadata }) => metadata.position.pts)).toEqual([0, 0, 3, 4, 5]);
    expect(await world.open().resume()).toEqual(positionAt(5));
  });

  it('[WH5.4] is an error, not a wait, if not even that it was dropped can be recorded', async () => {
    world.refuse = () => new TypeError('a position that JSON has no form for');
    await expect(world.record.record([world.message(1)], positionAt(0), positionAt(1))).rejects.toThrow(TypeError);
    expect(world.clock.armed()).toBe(0);
  });
});
