import { setImmediate as nextTurn } from 'node:timers/promises';
import { tlobjects } from 'telegram/tl/AllTLObjects.js';
import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../../sandbox/rpc.ts';
import { schemaOfLayer } from '../../../../sandbox/tl/layers.ts';
import {
  datesOf,
  getState,
  shortUpdate,
  useProtocolServer,
} from '../../../support/telegram-clients/protocol-fixture.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

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

  it('an address is cut off, and no other', async () => {
    const there = await on.stranger({ from: '127.0.0.9' });
    on.server.cutOff('127.0.0.9', 'blackhole');
    const swallowed = there.call(getState);
    on.server.push([there.key.id.toString('hex')], shortUpdate(5));
    expect(await on.session.result(on.session.call(getState))).toMatchObject({ pts: 1 });
    expect(there.connection.packets).toEqual([]);
    on.server.accept('127.0.0.9');
    const seen = await there.untilPong();
    expect(datesOf(seen)).toEqual([5]);
    expect(seen.map(({ object }) => object.req_msg_id)).not.toContain(swallowed);

    on.server.cutOff('127.0.0.9', 'refuse');
    await there.connection.ended();
    await (await on.open('127.0.0.9')).ended();
    expect(await on.session.result(on.session.call(getState))).toMatchObject({ pts: 1 });
    on.server.accept('127.0.0.9');
    const again = new RawSession(await on.open('127.0.0.9'), there.key);
    expect(await again.result(again.call(getState))).toMatchObject({ pts: 1 });
  });

  it('slowPong: delays pongs, but not other answers', async () => {
    on.server.slowPong(60_000);
    on.session.service({ _: 'ping', ping_id: 3n });
    const id = on.session.call(getState);
    expect((await on.session.next()).object.req_msg_id).toBe(id);
    on.server.slowPong(1);
    on.session.service({ _: 'ping', ping_id: 4n });
    expect((await on.session.next()).object).toMatchObject({ _: 'pong', ping_id: 4n });
  });

  it('batchAnswers: answers of several turns share a container', async () => {
    const before = on.tiny.countOf('help.getAppUpdate');
    on.server.batchAnswers(60_000, on.isMine);
    const first = on.session.call(getState);
    const second = on.session.call({ _: 'help.getAppUpdate', source: '' });
    await expect.poll(() => on.tiny.countOf('help.getAppUpdate')).toBeGreaterThan(before);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(on.connection.packets).toEqual([]);
    on.server.clearFaults();
    const answers = [await on.session.next(), await on.session.next()];
    expect(answers.map(({ object }) => object.req_msg_id)).toEqual([first, second]);
    expect(new Set(answers.map(({ packet }) => packet)).size).toBe(1);
  });

  it('transportError: goes to open connections at once, then to new ones, as often as told', async () => {
    const other = await on.stranger();
    on.server.transportError(-429, 2, on.isMine);
    await expect(on.session.next()).rejects.toThrow('transport error -429');
    const second = await on.connected();
    second.call(getState);
    await expect(second.next()).rejects.toThrow('transport error -429');
    const third = await on.connected();
    expect(await third.result(third.call(getState))).toMatchObject({ pts: 1 });
    expect(await other.untilPong()).toEqual([]);
  });

  it('forgetSessions: the next message makes a new session, which takes no updates yet', async () => {
    on.server.forgetSessions(on.isMine);
    on.server.push([on.keyId], shortUpdate(1));
    const id = on.session.service({ _: 'ping', ping_id: 3n });
    expect((await on.session.next()).object).toMatchObject({ _: 'new_session_created', first_msg_id: id });
    on.server.push([on.keyId], shortUpdate(2));
    await on.session.result(on.session.call(getState));
    on.server.push([on.keyId], shortUpdate(3));
    expect(datesOf(await on.session.untilPong())).toEqual([3]);
  });

  it('forgetSessions: calls that are running are not answered', async () => {
    const before = on.tiny.countOf('help.getAppUpdate');
    on.server.batchAnswers(60_000, on.isMine);
    const id = on.session.call({ _: 'help.getAppUpdate', source: '' });
    await expect.poll(() => on.tiny.countOf('help.getAppUpdate')).toBeGreaterThan(before);
    on.server.forgetSessions(on.isMine);
    on.server.batchAnswers(0, on.isMine);
    const seen = await on.session.untilPong();
    expect(seen.map(({ object }) => object.req_msg_id)).not.toContain(id);
  });

  it('announceAnswers: an answer comes only when it is asked for', async () => {
    on.server.announceAnswers(1, on.isMine);
    const id = on.session.call(getState);
    const { object: told } = await on.session.next(({ object }) => object._ === 'msg_detailed_info');
    expect(told).toMatchObject({ msg_id: id, status: 0 });
    expect(await on.session.untilPong()).toEqual([]);
    on.session.service({ _: 'msg_resend_req', msg_ids: [told.answer_msg_id] });
    expect(await on.session.result(id)).toMatchObject({ pts: 1 });
  });

  it('unknownUpdate: pushes have a constructor that no layer has, in the shape that was asked for', async () => {
    on.server.unknownUpdate(3, 'unreadable', on.isMine);
    for (let date = 1; date <= 4; date++) on.server.push([on.keyId], shortUpdate(date));
    const pushed = await on.session.untilPong();
    expect(pushed.map(({ object }) => object.update?._ ?? object._)).toEqual([
      'updatesOfLaterLayer',
      'updateOfLaterLayer',
      'updatesOfLaterLayer',
      'updateConfig',
    ]);
    const known = new Set(Object.keys(tlobjects).map(Number));
    expect([known.has(0xdeadbeef), known.has(0xdeadbee5), known.has(0xe317af7e)]).toEqual([false, false, true]);
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
