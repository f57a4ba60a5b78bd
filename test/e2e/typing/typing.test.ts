import { describe, expect, it } from 'vitest';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** `POST /typing`, as the other side sees it. */

interface ShownAction {
  userId?: string;
  from?: string | { userId: string };
  action: string;
  at: string;
}

const second = 1000;
const writing = useWriting();
const { calls, fault } = writing;

const type = (body: object): Promise<Answer> => writing.scene.request(writing.caller, 'POST', '/typing', body);

/** The actions that an account was shown in a chat, the newest last. */
const shown = async (peer = ann, viewer = bob): Promise<string[]> => {
  const actions = await writing.scene.sandbox.call<ShownAction[]>('GET', `/accounts/${viewer}/typing?peer=${peer}`);
  return actions.map(({ action }) => action);
};
/** What was shown since. */
const since = async (before: string[], peer = ann, viewer = bob): Promise<string[]> =>
  (await shown(peer, viewer)).slice(before.length);

const typing = 'sendMessageTypingAction';
const recording = 'sendMessageRecordAudioAction';
const cancel = 'sendMessageCancelAction';
/** Until nothing is shown any more. */
const idle = (): Promise<void> => writing.scene.pass(6 * second);

describe('POST /typing', () => {
  it.each([
    [undefined, typing],
    ['', typing],
    ['text', typing],
    ['anything else', typing],
    ['audio', recording],
  ])('[TY1.1] type %j shows %s at once, and ends after 5 s', async (kind, action) => {
    const before = await shown();
    const { status, body } = await type({ user: bob, type: kind });
    expect([status, body]).toEqual([200, { id: writing.caller.id }]);
    expect(await since(before)).toEqual([action]);
    await writing.scene.pass(4.9 * second);
    expect(await since(before)).toEqual([action]);
    await writing.scene.pass(0.2 * second);
    expect(await since(before)).toEqual([action, cancel]);
  });

  it.each<[object, string, string]>([
    [{ group: '-2001' }, '-2001', bob],
    [{ group: 'makers' }, '-1003001', bob],
    [{ user: bob }, ann, bob],
    [{ username: '@bob' }, ann, bob],
    [{ phone: '+15550000002' }, ann, bob],
    [{ group: '-2001', user: bob }, '-2001', bob],
    [{ channel: '-1004001', user: bob }, ann, bob],
  ])('[TY1.1] %j', async (receiver, peer, viewer) => {
    const before = await shown(peer, viewer);
    expect(await type(receiver)).toMatchObject({ status: 200 });
    expect(await since(before, peer, viewer)).toEqual([typing]);
    await idle();
    expect(await since(before, peer, viewer)).toEqual([typing, cancel]);
  });

  it('[TY1.1] shown again meanwhile, it ends 5 s after the last time', async () => {
    const before = await shown();
    await type({ user: bob });
    await writing.scene.pass(3 * second);
    await type({ user: bob, type: 'audio' });
    await writing.scene.pass(4 * second);
    expect(await since(before)).toEqual([typing, recording]);
    await writing.scene.pass(2 * second);
    expect(await since(before)).toEqual([typing, recording, cancel]);
    await writing.scene.pass(10 * second);
    expect(await since(before)).toHaveLength(3);
  });

  it('[TY1.1] in several chats at once, each ends by itself', async () => {
    const [one, other] = [await shown(), await shown('-2001')];
    await type({ user: bob });
    await writing.scene.pass(2 * second);
    await type({ group: '-2001' });
    await writing.scene.pass(3.5 * second);
    expect([await since(one), await since(other, '-2001')]).toEqual([[typing, cancel], [typing]]);
    await writing.scene.pass(2 * second);
    expect(await since(other, '-2001')).toEqual([typing, cancel]);
  });

  it.each<[object, string]>([
    [{}, 'invalid phone, username, user or group'],
    [{ group: '', user: ' ', username: null, phone: '' }, 'invalid phone, username, user or group'],
    [{ channel: '-1004001' }, 'invalid phone, username, user or group'],
    [{ phone: '1234567' }, 'invalid receiver'],
    [{ username: 'two words' }, 'invalid chat'],
    [{ username: 'nobody_at_all' }, 'chat not found'],
    [{ user: '4711' }, 'chat not found'],
    [{ group: '-1009999999' }, 'chat not found'],
    [{ group: 'daily' }, 'group not found'],
    [{ phone: '15550000003' }, 'phone is not on telegram or hidden by its privacy settings'],
    [{ user: 5, type: {} }, 'user must be a string\ntype must be a string'],
  ])('[TY2.1] %j is refused: %s', async (body, message) => {
    const before = await calls('messages.setTyping');
    const answer = await type(body);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
    expect(await calls('messages.setTyping')).toBe(before);
  });

  it('[ER3.1] what Telegram refuses is passed on, and nothing is cancelled that was not shown', async () => {
    await fault({ method: 'messages.setTyping', error: 'USER_IS_BLOCKED' });
    const before = await shown();
    expect(await type({ user: bob })).toMatchObject(
      refused(500, '400: USER_IS_BLOCKED (caused by messages.SetTyping)'),
    );
    await idle();
    expect(await since(before)).toEqual([]);
  });

  it('[AU2.1] needs a connected session', async () => {
    const other = await writing.scene.create();
    expect(await writing.scene.request(other, 'POST', '/typing', { user: bob })).toMatchObject(
      refused(500, 'session not connected'),
    );
  });

  it('[TY1.2] that Telegram does not answer is given up, not shown much later', async () => {
    await fault({ method: 'messages.setTyping', error: 'FLOOD_WAIT_45' });
    const before = await shown();
    const answer = await writing.scene.whilePassing(type({ user: bob }));
    expect(answer).toMatchObject(refused(500, 'typing timeout after 30s'));
    await writing.scene.pass(60 * second);
    expect(await since(before)).toEqual([]);
  });

  it('[OP2.2] ends where the gateway does', async () => {
    const before = await shown();
    await type({ user: bob });
    await writing.scene.gateway.close();
    expect(await since(before)).toEqual([typing, cancel]);
    await writing.scene.restart();
    await writing.scene.whilePassing(writing.scene.read(writing.caller, (session) => session.isConnected));
  });
});
