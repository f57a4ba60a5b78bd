import { beforeEach, describe, expect, it } from 'vitest';
import { ann, bob, type Caller } from '../../support/e2e/scene.ts';
import { refused, type Seen, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** `POST /message` over a Telegram that is slow, silent or gone: once or an error, never twice. */

const second = 1000;
const writing = useWriting();
const { arrivals, calls, fault, newText, seen, send, timesSeen } = writing;

describe('what takes too long', () => {
  it('[MS6.1] a send that has to wait beyond 240 s is cut off, and nothing arrives later', async () => {
    await fault({ error: 'FLOOD_WAIT_59', times: 99 });
    const before = await calls('messages.sendMessage');
    const text = newText();
    const sending = send({ user: bob, text });
    await arrivals('messages.sendMessage', before);
    await writing.scene.pass(200 * second);
    expect(await writing.scene.whilePassing(sending)).toMatchObject(refused(500, 'send timeout after 240s'));
    await writing.scene.sandbox.call('DELETE', '/faults');
    const sent = await calls('messages.sendMessage');
    await writing.scene.pass(120 * second);
    expect(await calls('messages.sendMessage')).toBe(sent);
    expect(await timesSeen(text, bob)).toBe(0);
  });

  it('[MS6.1] a send that Telegram never answers is cut off at 240 s, not a second before', async () => {
    await fault({ error: 'NEVER', delayMs: 600_000, times: 99 });
    const before = await calls('messages.sendMessage');
    let isAnswered = false;
    const sending = send({ user: bob, text: newText() }).finally(() => void (isAnswered = true));
    await arrivals('messages.sendMessage', before);
    await writing.scene.pass(239 * second);
    expect(isAnswered).toBe(false);
    expect(await writing.scene.whilePassing(sending)).toMatchObject(refused(500, 'send timeout after 240s'));
    expect((await writing.scene.read(writing.caller)).isConnected).toBe(true);
  });
});

describe('a connection that breaks', () => {
  /** A connection that has held for a while is opened again at once when it breaks. */
  beforeEach(() => writing.scene.pass(11 * second));

  it.each([
    ['names the message again', []],
    ['says that the first is under way', [{ error: 'RANDOM_ID_DUPLICATE', code: 500 }]],
  ])('[MS6.2] an answer that is lost does not lead to a second message; Telegram %s', async (_, faults) => {
    await fault({ dropAnswer: true });
    for (const next of faults) await fault(next);
    const text = newText();
    const answer = await writing.scene.whilePassing(send({ user: bob, text }));
    const [message] = await seen(bob, ann, 1);
    expect(message?.text).toBe(text);
    expect(answer).toMatchObject({ status: 200, body: { messageId: String(message?.id) } });
    expect(await timesSeen(text, bob)).toBe(1);
    expect(await timesSeen(text, ann, bob)).toBe(1);
  });

  it.each([bob, '-2001', '-1003001', '-1004001'])(
    '[MS6.2] a lost answer and a lost connection together: %s',
    async (peer) => {
      await fault({ dropAnswer: true });
      const before = await calls('messages.sendMessage');
      const text = newText();
      const field = peer === bob ? 'user' : peer === '-1004001' ? 'channel' : 'group';
      const sending = send({ [field]: peer, text });
      await arrivals('messages.sendMessage', before);
      await writing.scene.sandbox.call('POST', '/network', { action: 'cut' });
      const answer = await writing.scene.whilePassing(sending);
      expect(answer).toMatchObject({ status: 200 });
      const [message] = await seen(peer, ann, 1);
      expect(message).toMatchObject({ text, id: Number(answer.body['messageId']) });
      expect(await timesSeen(text, peer)).toBe(1);
    },
  );

  it.each([0, 1, 2, 3, 4, 6, 8, 12, 20, 40])('[MS6.2] cut %i turns into a send: sent once', async (turns) => {
    const text = newText();
    const sending = send({ user: bob, text });
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => void setImmediate(resolve));
    writing.scene.telegram.protocol.cut();
    const answer = await writing.scene.whilePassing(sending);
    expect(answer).toMatchObject({ status: 200 });
    expect(await timesSeen(text, bob)).toBe(1);
    expect(await seen(bob, ann, 1)).toMatchObject([{ id: Number(answer.body['messageId']) }]);
  });

  it('[MS6.2] a connection that does not come back in time is an error, and nothing arrives later', async () => {
    await writing.scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await writing.scene.sandbox.call('POST', '/network', { action: 'cut' });
    await writing.scene.pass(second);
    const text = newText();
    expect(await writing.scene.whilePassing(send({ user: bob, text }))).toMatchObject(
      refused(500, 'session not connected'),
    );
    await writing.scene.sandbox.call('POST', '/network', { action: 'accept' });
    await writing.scene.whilePassing(writing.scene.read(writing.caller, (session) => session.isConnected));
    await writing.scene.pass(30 * second);
    expect(await timesSeen(text, bob)).toBe(0);
  });

  it('[MS6.2] a connection that swallows everything is an error or a message, never two', async () => {
    await writing.scene.sandbox.call('POST', '/network', { action: 'blackhole' });
    const text = newText();
    const answer = await writing.scene.whilePassing(send({ user: bob, text }));
    expect(answer).toMatchObject(refused(500, 'session not connected'));
    await writing.scene.sandbox.call('POST', '/network', { action: 'accept' });
    await writing.scene.whilePassing(writing.scene.read(writing.caller, (session) => session.isConnected));
    await writing.scene.pass(30 * second);
    expect(await timesSeen(text, bob)).toBe(0);
  });
});

describe('a session that ends in the middle of a send', () => {
  const cara = '1003';
  /** Another session than that of the other tests, which goes on. */
  const sendFrom = (other: Caller, text: string): Promise<Answer> =>
    writing.scene.request(other, 'POST', '/message', { type: 'text', user: ann, text });

  it('[SE9.1] because Telegram ends the login: Telegram’s error, and a fresh QR', async () => {
    const other = await writing.scene.connected(cara);
    await fault({ error: 'AUTH_KEY_UNREGISTERED', userId: cara });
    const text = newText();
    expect(await sendFrom(other, text)).toMatchObject(
      refused(500, '401: AUTH_KEY_UNREGISTERED (caused by messages.SendMessage)'),
    );
    const lost = await writing.scene.read(other, (session) => session.qrcode !== '');
    expect(lost).toMatchObject({ isConnected: false, generatedId: cara });
    expect(await sendFrom(other, text)).toMatchObject(refused(500, 'session not connected'));
    expect(await timesSeen(text, ann, cara)).toBe(0);
  });

  it.each([
    ['deleted', 'DELETE', '/session', refused(404, 'session not found')],
    ['reset', 'POST', '/session/reset', refused(500, 'session not connected')],
  ])('[SE3.2] because it is %s: an error at once, and nothing arrives later', async (_what, method, path, expected) => {
    const other = await writing.scene.connected(cara);
    await fault({ error: 'FLOOD_WAIT_50', userId: cara });
    const before = await calls('messages.sendMessage');
    const text = newText();
    const sending = sendFrom(other, text);
    await arrivals('messages.sendMessage', before);
    expect(await writing.scene.request(other, method, path)).toMatchObject({ status: 200 });
    expect(await sending).toMatchObject(expected);
    await writing.scene.pass(60 * second);
    expect(await calls('messages.sendMessage')).toBe(before + 1);
    expect(await timesSeen(text, ann, cara)).toBe(0);
  });
});

describe('many at once', () => {
  let before: Set<number>;
  beforeEach(async () => {
    before = new Set((await seen(bob, ann, 1000)).map(({ id }) => id));
  });

  const newTexts = (): string[] => Array.from({ length: 100 }, newText);
  const sendAll = (texts: string[]): Promise<Answer[]> =>
    writing.scene.whilePassing(Promise.all(texts.map((text) => send({ user: bob, text }))));
  const arrived = async (): Promise<Seen[]> => (await seen(bob, ann, 1000)).filter(({ id }) => !before.has(id));
  /** The text that arrived under the ID of each answer. */
  const answered = async (answers: Answer[]): Promise<(string | undefined)[]> => {
    const byId = new Map((await arrived()).map(({ id, text }) => [String(id), text]));
    return answers.map(({ body }) => byId.get(String(body['messageId'])));
  };

  it('[MS6.2] 100 messages in flight arrive all, each once, each answered with its own ID', async () => {
    const texts = newTexts();
    expect(await answered(await sendAll(texts))).toEqual(texts);
    expect(await arrived()).toHaveLength(100);
  });

  it('[MS6.2] also where the connection is cut in the middle, twice', async () => {
    const earlier = await calls('messages.sendMessage');
    const texts = newTexts();
    const sending = sendAll(texts);
    await arrivals('messages.sendMessage', earlier, 20);
    writing.scene.telegram.protocol.cut();
    await arrivals('messages.sendMessage', earlier, 60);
    writing.scene.telegram.protocol.cut();
    expect(await answered(await sending)).toEqual(texts);
    expect(await arrived()).toHaveLength(100);
  });

  it('[MS6.2] of the same words, whose answers are lost, are each found under an ID of its own', async () => {
    await fault({ dropAnswer: true, times: 5 });
    const text = newText();
    const sending = Promise.all(Array.from({ length: 5 }, () => send({ user: bob, text })));
    const answers = await writing.scene.whilePassing(sending);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const found = answers.map(({ body }) => Number(body['messageId']));
    expect(found.toSorted((a, b) => b - a)).toEqual((await arrived()).map(({ id }) => id));
    expect(new Set(found).size).toBe(5);
  });
});
