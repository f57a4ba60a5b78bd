import { beforeEach, describe, expect, it } from 'vitest';
import { writeContainer } from '../../../../sandbox/mtproto/container.ts';
import type { TlObject } from '../../../../sandbox/rpc.ts';
import { mtprotoSchema, schemaOfLayer } from '../../../../sandbox/tl/layers.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';
import { clientMessageId } from '../../../support/telegram-clients/client-message-id.ts';
import {
  getState,
  isUpdate,
  shortUpdate,
  useProtocolServer,
} from '../../../support/telegram-clients/protocol-fixture.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

let gate: Gate;

const on = useProtocolServer({
  'help.getNearestDc': async () => {
    await gate.passed;
    return { _: 'nearestDc', country: 'NL', this_dc: 2, nearest_dc: 2 };
  },
});

beforeEach(() => {
  gate = createGate();
});

describe('messages', () => {
  it('that are repeated are answered again, but carried out once', async () => {
    const before = on.tiny.countOf('updates.getState');
    const sent = { id: clientMessageId(), seqno: on.session.seqno(true) };
    on.session.call(getState, sent);
    const first = await on.session.next(({ object }) => object.req_msg_id === sent.id);
    on.session.call(getState, sent);
    const again = await on.session.next(({ object }) => object.req_msg_id === sent.id);
    expect(again).toMatchObject({ id: first.id, seqno: first.seqno });
    expect(on.tiny.countOf('updates.getState')).toBe(before + 1);
  });

  it('that are repeated after their answer was acknowledged are only acknowledged', async () => {
    const sent = { id: clientMessageId(), seqno: on.session.seqno(true) };
    on.session.call(getState, sent);
    const first = await on.session.next(({ object }) => object.req_msg_id === sent.id);
    on.session.service({ _: 'msgs_ack', msg_ids: [first.id] });
    on.session.call(getState, sent);
    expect((await on.session.next()).object).toEqual({ _: 'msgs_ack', msg_ids: [sent.id] });
  });

  it.each([
    ['too old', 16, (): number => -301],
    ['too far ahead', 17, (): number => 60],
  ])('with an ID that is %s get error %i', async (_name, code, ahead) => {
    const id = on.session.call(getState, { id: clientMessageId(ahead()) });
    const { object } = await on.session.next(({ object: each }) => each._ === 'bad_msg_notification');
    expect(object).toMatchObject({ bad_msg_id: id, error_code: code });
  });

  it('with an invalid ID or seqno get the matching error', async () => {
    const refused = async (options: { id?: bigint; seqno?: number }): Promise<unknown> => {
      on.session.call(getState, options);
      return (await on.session.next(({ object }) => object._ === 'bad_msg_notification')).object.error_code;
    };
    expect(await refused({ id: clientMessageId() + 1n })).toBe(18);
    expect(await refused({ seqno: 4 })).toBe(35);
    const early = clientMessageId();
    await on.session.result(on.session.call(getState, { seqno: 41 }));
    expect(await refused({ seqno: 7 })).toBe(32);
    expect(await refused({ id: early, seqno: 43 })).toBe(33);
    on.session.sendBody(writeContainer([]), { seqno: 43 });
    expect((await on.session.next(({ object }) => object._ === 'bad_msg_notification')).object.error_code).toBe(34);
  });

  it('with a wrong salt are refused, and the answer names the right salt', async () => {
    on.server.badSalt(on.isMine);
    const refused = on.session.call(getState);
    const { object } = await on.session.next();
    expect(object).toMatchObject({ _: 'bad_server_salt', bad_msg_id: refused, error_code: 48 });
    expect(on.session.salt).toBe(object.new_server_salt);
    expect(await on.session.result(on.session.call(getState))).toMatchObject({ pts: 1 });
    expect(on.tiny.stored.get(on.keyId)?.salt).toBe(String(object.new_server_salt));
  });

  it("of MTProto's own services are answered", async () => {
    const service = async (object: TlObject): Promise<TlObject> => {
      on.session.service(object);
      return (await on.session.next()).object;
    };
    expect(await service({ _: 'ping', ping_id: 5n })).toMatchObject({ _: 'pong', ping_id: 5n });
    expect(await service({ _: 'ping_delay_disconnect', ping_id: 6n, disconnect_delay: 75 })).toMatchObject({
      ping_id: 6n,
    });
    expect(await service({ _: 'get_future_salts', num: 1 })).toMatchObject({ salts: [{ salt: on.session.salt }] });
    expect(await service({ _: 'destroy_session', session_id: 99n })).toEqual({
      _: 'destroy_session_none',
      session_id: 99n,
    });
    const running = on.session.call({ _: 'help.getNearestDc' });
    await on.session.next(({ object }) => object._ === 'msgs_ack');
    const done = on.session.call(getState);
    const answer = await on.session.next(({ object }) => object.req_msg_id === done);
    const state = await service({ _: 'msgs_state_req', msg_ids: [running, done, clientMessageId(10), 4n] });
    expect([...(state.info as Buffer)]).toEqual([36, 100, 3, 2]);
    expect(await on.session.result(on.session.service({ _: 'rpc_drop_answer', req_msg_id: 4n }))).toMatchObject({
      _: 'rpc_answer_unknown',
    });
    expect(await on.session.result(on.session.service({ _: 'rpc_drop_answer', req_msg_id: done }))).toMatchObject({
      _: 'rpc_answer_dropped',
      msg_id: answer.id,
    });
    const dropped = on.session.service({ _: 'rpc_drop_answer', req_msg_id: running });
    expect(await on.session.result(dropped)).toMatchObject({ _: 'rpc_answer_dropped_running' });
    gate.open();
    expect((await on.session.untilPong()).map(({ object }) => object.req_msg_id)).not.toContain(running);
  });

  it('are sent again on msg_resend_req', async () => {
    const id = on.session.call(getState);
    const first = await on.session.next(({ object }) => object.req_msg_id === id);
    on.session.service({ _: 'msg_resend_req', msg_ids: [first.id] });
    expect(await on.session.next()).toMatchObject({ id: first.id, seqno: first.seqno });
  });
});

describe('a session', () => {
  it('is announced as new once', async () => {
    const other = await on.connected();
    other.call(getState);
    expect((await other.next()).object).toMatchObject({ _: 'new_session_created', server_salt: on.key.salt });
    other.call(getState);
    const seen = await other.untilPong();
    expect(seen.map(({ object }) => object._)).not.toContain('new_session_created');
  });

  it('gets its unacknowledged messages again on the next connection', async () => {
    const id = on.session.call({ _: 'help.getNearestDc' });
    await on.session.next(({ object }) => object._ === 'msgs_ack');
    on.connection.close();
    await expect.poll(() => on.server.stats().connections).toBe(0);
    gate.open();
    on.server.push([on.keyId], shortUpdate(77));
    const back = await on.connected({ id: on.session.id });
    back.service({ _: 'ping', ping_id: 1n });
    expect((await back.next(isUpdate)).object.date).toBe(77);
    expect(await back.result(id)).toMatchObject({ country: 'NL' });
  });

  it('is not affected by other connections of its client', async () => {
    const other = await on.connected();
    await other.result(other.call(getState));
    other.connection.close();
    expect(await on.session.result(on.session.call(getState))).toMatchObject({ pts: 1 });
  });

  it('is dropped if a key has too many', async () => {
    const before = on.server.stats().sessions;
    for (let i = 0; i < 250; i++) {
      const other = new RawSession(on.connection, on.key);
      other.service({ _: 'ping', ping_id: 1n });
      await other.next(({ object }) => object._ === 'pong');
    }
    expect(on.server.stats().sessions - before).toBeLessThan(200);
    on.connection.close();
    await expect.poll(() => on.server.stats().connections).toBe(0);
    const left = await on.connected();
    await left.result(left.call(getState));
    expect(on.server.stats().sessions - before).toBeLessThan(10);
  });

  it('that was destroyed starts again as new', async () => {
    const other = await on.connected();
    await other.result(other.call(getState));
    on.session.service({ _: 'destroy_session', session_id: other.id });
    expect((await on.session.next()).object._).toBe('destroy_session_ok');
    other.call(getState);
    expect((await other.next()).object._).toBe('new_session_created');
  });
});

it('a client can destroy its own key', async () => {
  expect(await on.session.result(on.session.service({ _: 'destroy_auth_key' }))).toEqual({ _: 'destroy_auth_key_ok' });
  const back = await on.connected();
  back.call(getState);
  await expect(back.next()).rejects.toThrow('transport error -404');
});

it('MTProto and the API share no constructor IDs', () => {
  for (const { id } of mtprotoSchema.definitions()) {
    expect(schemaOfLayer(227).definition(id)?.name).toBeUndefined();
  }
});
