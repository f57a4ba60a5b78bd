import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { RpcError } from '../../../../sandbox/rpc.ts';
import { schemaOfLayer } from '../../../../sandbox/tl/layers.ts';
import {
  datesOf,
  getState,
  shortUpdate,
  useProtocolServer,
} from '../../../support/telegram-clients/protocol-fixture.ts';

const on = useProtocolServer({
  'help.getAppUpdate': async () => {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    throw new RpcError(420, 'FLOOD_WAIT_3');
  },
});

describe('updates', () => {
  it('go to sessions that have made a call without invokeWithoutUpdates', async () => {
    const quiet = await on.connected();
    await quiet.result(quiet.call({ _: 'invokeWithoutUpdates', query: getState }));
    const left = await on.connected();
    await left.result(left.call(getState));
    on.server.push([on.keyId], shortUpdate(1), left.id);
    expect((await on.session.next()).object).toEqual(shortUpdate(1));
    expect(datesOf(await quiet.untilPong())).toEqual([]);
    expect(datesOf(await left.untilPong())).toEqual([]);
  });

  it('are written in the layer of each key', async () => {
    const newer = await on.stranger({ layer: 227 });
    const channel = { _: 'channel', id: 5n, title: 'Daily', photo: { _: 'chatPhotoEmpty' }, date: 1 };
    const updates = { _: 'updates', updates: [], users: [], chats: [channel], date: 3, seq: 0 };
    on.server.push([on.keyId, newer.key.id.toString('hex')], updates);
    for (const each of [on.session, newer]) {
      expect((await each.next()).object).toMatchObject({ chats: [{ _: 'channel', id: 5n, title: 'Daily' }] });
    }
    expect(schemaOfLayer(198).definition('channel')?.id).not.toBe(schemaOfLayer(227).definition('channel')?.id);
  });

  it('that a layer cannot express are left out and reported', async () => {
    on.server.push([on.keyId], { _: 'updateOfTomorrow' });
    on.server.push([on.keyId], { _: 'updatesTooLong' });
    expect((await on.session.next()).object).toEqual({ _: 'updatesTooLong' });
    expect(on.tiny.failures.map(String)).toEqual(['TlError: the schema has no updateOfTomorrow']);
  });

  it('are lost, duplicated and reordered by faults', async () => {
    const push = (...dates: number[]): void => {
      for (const date of dates) on.server.push([on.keyId], shortUpdate(date));
    };
    on.server.loseUpdates(1, on.isMine);
    push(1, 2);
    on.server.duplicateUpdates(1, on.isMine);
    push(3, 4);
    on.server.reorderUpdates(3, on.isMine);
    push(5, 6, 7, 8);
    expect(datesOf(await on.session.untilPong())).toEqual([2, 3, 3, 4, 7, 6, 5, 8]);
    on.server.reorderUpdates(3, on.isMine);
    push(9, 10);
    on.server.clearFaults();
    expect(datesOf(await on.session.untilPong())).toEqual([10, 9]);
  });
});

describe('faults', () => {
  it('cut: closes the connections of a key, or all', async () => {
    const other = await on.stranger();
    on.server.cut([on.keyId]);
    await on.connection.ended();
    expect(await other.result(other.call(getState))).toMatchObject({ pts: 1 });
    on.server.cut();
    await other.connection.ended();
  });

  it('refuse: resets connections until accept', async () => {
    on.server.refuse();
    const refused = await on.open();
    await refused.ended();
    expect(await on.session.result(on.session.call(getState))).toMatchObject({ pts: 1 });
    on.server.refuse(on.isMine);
    const shown = await on.connected();
    shown.call(getState);
    await shown.connection.ended();
    on.server.accept();
    const accepted = await on.connected();
    expect(await accepted.result(accepted.call(getState))).toMatchObject({ pts: 1 });
  });

  it('blackhole: ignores what arrives, and sends updates after accept', async () => {
    const other = await on.stranger();
    const before = on.tiny.countOf('updates.getState');
    on.server.blackhole(on.isMine);
    const swallowed = on.session.call(getState);
    on.session.service({ _: 'ping', ping_id: 3n });
    on.server.push([on.keyId], shortUpdate(5));
    await other.untilPong();
    expect(on.tiny.countOf('updates.getState')).toBe(before);
    expect(on.connection.packets).toEqual([]);
    on.server.accept();
    const seen = await on.session.untilPong();
    expect(datesOf(seen)).toEqual([5]);
    expect(seen.map(({ object }) => object.req_msg_id)).not.toContain(swallowed);
  });

  it('slowPong: delays pongs, but not other answers', async () => {
    on.server.slowPong(50);
    on.session.service({ _: 'ping', ping_id: 3n });
    const id = on.session.call(getState);
    expect((await on.session.next()).object.req_msg_id).toBe(id);
    expect((await on.session.next()).object).toMatchObject({ _: 'pong', ping_id: 3n });
  });

  it('batchAnswers: answers of several turns share a container', async () => {
    const before = on.tiny.countOf('help.getAppUpdate');
    on.server.batchAnswers(60_000, on.isMine);
    const first = on.session.call(getState);
    const second = on.session.call({ _: 'help.getAppUpdate', source: '' });
    await vi.waitUntil(() => on.tiny.countOf('help.getAppUpdate') > before);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(on.connection.packets).toEqual([]);
    on.server.clearFaults();
    const answers = [await on.session.next(), await on.session.next()];
    expect(answers.map(({ object }) => object.req_msg_id)).toEqual([first, second]);
    expect(new Set(answers.map(({ packet }) => packet)).size).toBe(1);
  });

  it('forgetKey: the key is unknown from then on', async () => {
    on.server.forgetKey(on.keyId);
    await on.connection.ended();
    const back = await on.connected();
    back.call(getState);
    await expect(back.next()).rejects.toThrow('transport error -404');
    expect(on.tiny.stored.has(on.keyId)).toBe(false);
  });
});
