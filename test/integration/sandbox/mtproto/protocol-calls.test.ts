import { deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { gzipPackedId, writeContainer } from '../../../../sandbox/mtproto/container.ts';
import { noAnswer, RpcError, type RpcHandler } from '../../../../sandbox/rpc.ts';
import { TlWriter } from '../../../../sandbox/tl/writer.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';
import { clientMessageId } from '../../../support/telegram-clients/client-message-id.ts';
import { bodyOf, getState, useProtocolServer } from '../../../support/telegram-clients/protocol-fixture.ts';
import { shakeHands } from '../../../support/telegram-clients/raw-handshake.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

let gate: Gate;

const handlers: Record<string, RpcHandler> = {
  'help.getNearestDc': async () => {
    await gate.passed;
    return { _: 'nearestDc', country: 'NL', this_dc: 2, nearest_dc: 2 };
  },
  'help.getAppUpdate': () => {
    throw new RpcError(420, 'FLOOD_WAIT_3');
  },
  'help.getInviteText': () => noAnswer,
  'help.getSupport': () => {
    throw new Error('a defect');
  },
  'help.getTermsOfServiceUpdate': () => ({ _: 'noSuchConstructor' }),
  'help.getSupportName': () => ({ _: 'help.supportName', name: 'x'.repeat(5000) }),
};
const on = useProtocolServer(handlers);

beforeEach(() => {
  gate = createGate();
});

describe('calls', () => {
  it('use the layer and device that the key has stored', async () => {
    on.session.connection.close();
    const later = await on.connected();
    await later.result(later.call(getState));
    const call = on.tiny.calls.at(-1);
    expect(call).toMatchObject({ method: 'updates.getState', layer: 198, dc: 2 });
    expect(call?.key).toMatchObject({ id: on.keyId, device: { apiId: 7, model: 'Raw', appVersion: '1' } });
  });

  it('must name a layer once', async () => {
    const other = new RawSession(await on.open(), await shakeHands(await on.open(), on.server));
    expect(await other.result(other.call(getState))).toMatchObject({ error_message: 'CONNECTION_NOT_INITED' });
    await other.result(other.call(other.withLayer(getState)));
    expect(await other.result(other.call(getState))).toMatchObject({ _: 'updates.state' });
  });

  it('are answered with the RpcError of the handler, and with 500 for other errors', async () => {
    expect(await on.session.result(on.session.call({ _: 'help.getAppUpdate', source: '' }))).toMatchObject({
      error_code: 420,
      error_message: 'FLOOD_WAIT_3',
    });
    expect(await on.session.result(on.session.call({ _: 'help.getSupport' }))).toMatchObject({
      error_message: 'INTERNAL',
    });
    expect(await on.session.result(on.session.call({ _: 'help.getTermsOfServiceUpdate' }))).toMatchObject({
      error_code: 500,
    });
    expect(on.tiny.failures.map(String)).toEqual([
      'Error: a defect',
      'Error: The answer to help.getTermsOfServiceUpdate cannot be written in layer 198: the schema has no noSuchConstructor',
    ]);
  });

  it('of unknown methods are refused', async () => {
    const body = Buffer.from('efbeadde', 'hex');
    expect(await on.session.result(on.session.sendBody(body))).toMatchObject({ error_message: 'INPUT_METHOD_INVALID' });
    const truncated = bodyOf({ _: 'help.getAppUpdate', source: 'x' }).subarray(0, 4);
    expect(await on.session.result(on.session.sendBody(truncated))).toMatchObject({
      error_message: 'INPUT_FETCH_ERROR',
    });
  });

  it('without an answer are still carried out', async () => {
    const before = on.tiny.countOf('help.getInviteText');
    const id = on.session.call({ _: 'help.getInviteText' });
    const seen = await on.session.untilPong();
    expect(on.tiny.countOf('help.getInviteText')).toBe(before + 1);
    expect(seen.map(({ object }) => object.req_msg_id)).not.toContain(id);
  });

  it.each([
    ['gzip', gzipSync],
    ['zlib', deflateSync],
  ])('may be packed with %s, also inside wrappers', async (_name, pack) => {
    const packed = (body: Buffer): Buffer => {
      const writer = new TlWriter();
      writer.int(gzipPackedId);
      writer.bytes(pack(body));
      return writer.finish();
    };
    expect(await on.session.result(on.session.sendBody(packed(bodyOf(getState))))).toMatchObject({ pts: 1 });
    const wrapper = bodyOf({ _: 'invokeWithLayer', layer: 198, query: getState }).subarray(0, 8);
    const nested = Buffer.concat([wrapper, packed(bodyOf(getState))]);
    expect(await on.session.result(on.session.sendBody(nested))).toMatchObject({ pts: 1 });
  });

  it('get large answers packed', async () => {
    const id = on.session.call({ _: 'help.getSupportName' });
    const { object } = await on.session.next((message) => message.object.req_msg_id === id);
    expect(object).toMatchObject({ packed: true, result: { name: 'x'.repeat(5000) } });
  });

  it('wrapped in invokeAfterMsg wait for the earlier calls, and fail with them', async () => {
    const first = on.session.call({ _: 'help.getNearestDc' });
    const second = on.session.call({ _: 'invokeAfterMsg', msg_id: first, query: getState });
    const third = on.session.call({ _: 'invokeAfterMsgs', msg_ids: [first, second], query: getState });
    const before = on.tiny.countOf('updates.getState');
    await on.session.untilPong();
    expect(on.tiny.countOf('updates.getState')).toBe(before);
    gate.open();
    expect(await on.session.result(third)).toMatchObject({ pts: 1 });
    const failing = on.session.call({ _: 'help.getAppUpdate', source: '' });
    const after = on.session.call({ _: 'invokeAfterMsg', msg_id: failing, query: getState });
    expect(await on.session.result(after)).toMatchObject({ error_message: 'MSG_WAIT_FAILED' });
  });

  it('are read through wrappers that do not concern them', async () => {
    const range = { _: 'messageRange', min_id: 1, max_id: 2 };
    const id = on.session.call({
      _: 'invokeWithTakeout',
      takeout_id: 5n,
      query: { _: 'invokeWithMessagesRange', range, query: { _: 'invokeWithoutUpdates', query: getState } },
    });
    expect(await on.session.result(id)).toMatchObject({ pts: 1 });
  });

  it('that take longer are acknowledged first', async () => {
    const id = on.session.call({ _: 'help.getNearestDc' });
    const { object } = await on.session.next((message) => message.object._ === 'msgs_ack');
    expect(object.msg_ids).toEqual([id]);
    gate.open();
    expect(await on.session.result(id)).toMatchObject({ country: 'NL' });
  });

  it('answered in one turn share a container, errors included', async () => {
    const queries = [getState, { _: 'help.getAppUpdate', source: '' }, getState];
    const messages = queries.map((query) => ({
      id: clientMessageId(),
      seqno: on.session.seqno(true),
      body: bodyOf(query),
    }));
    on.session.sendBody(writeContainer(messages), { seqno: on.session.seqno(false) });
    const answers = [await on.session.next(), await on.session.next(), await on.session.next()];
    expect(new Set(answers.map(({ packet }) => packet)).size).toBe(1);
    const results = new Map(answers.map(({ object }) => [object.req_msg_id, object.result]));
    expect(messages.map(({ id }) => results.get(id))).toMatchObject([{ pts: 1 }, { error_code: 420 }, { pts: 1 }]);
  });
});
