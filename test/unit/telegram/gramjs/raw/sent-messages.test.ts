import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { methodNames } from '../../../../../src/telegram/gramjs/raw/schema.ts';
import { sendingMethods, sentBy } from '../../../../../src/telegram/gramjs/raw/sent-messages.ts';
import { TelegramError } from '../../../../../src/telegram/port/errors.ts';

const user = new Api.InputPeerUser({ userId: bigInt(1002), accessHash: bigInt(7) });
const never: RpcCall = () => Promise.reject(new Error('nothing is asked'));
const signal = new LightAbort();

/** Those of the layer that sound like sending, and send no message. */
const otherSends = ['messages.sendReaction', 'messages.sendVote', 'messages.sendPaidReaction'];

describe('the messages of a method', () => {
  it('[OS7.1] every method of the layer that sends messages is known', () => {
    const inLayer = methodNames().filter((name) => /^messages\.(?:send|forward|startBot)/.test(name));
    const known = sendingMethods.map((name) =>
      name.replace(/\.(.)/, (_dot, first: string) => `.${first.toLowerCase()}`),
    );
    expect([...known, ...otherSends].toSorted()).toEqual(inLayer.toSorted());
  });

  it.each<[object, object | undefined]>([
    [new Api.messages.SendMessage({ peer: user, message: 'x' }), { messages: 1, chat: { id: '1002' } }],
    [
      new Api.messages.ForwardMessages({
        fromPeer: new Api.InputPeerSelf(),
        toPeer: new Api.InputPeerChat({ chatId: bigInt(2001) }),
        id: [1, 2, 3],
        randomId: [bigInt(1), bigInt(2), bigInt(3)],
      }),
      { messages: 3, chat: { id: '-2001' } },
    ],
    [
      new Api.messages.SendMultiMedia({
        peer: new Api.InputPeerChannel({ channelId: bigInt(3001), accessHash: bigInt(7) }),
        multiMedia: [1, 2].map(
          (id) =>
            new Api.InputSingleMedia({
              media: new Api.InputMediaEmpty(),
              randomId: bigInt(id),
              message: '',
            }),
        ),
      }),
      { messages: 2, chat: { id: '-1003001' } },
    ],
    [new Api.messages.SendMessage({ peer: new Api.InputPeerSelf(), message: 'x' }), { messages: 1 }],
    [new Api.messages.SaveDraft({ peer: user, message: 'x' }), undefined],
  ])('[OS7.1] of %o are counted', (request, expected) => {
    const sent = sentBy(never, request);
    if (expected === undefined) expect(sent).toBeUndefined();
    else expect(sent).toMatchObject(expected);
    expect(Object.keys(sent ?? {})).toEqual(Object.keys(expected ?? {}));
  });

  const answering =
    (messages: Api.TypeMessage[]): RpcCall =>
    () =>
      Promise.resolve(new Api.messages.Messages({ messages, chats: [], users: [] }) as never);
  const isNew = (call: RpcCall): Promise<boolean> | undefined =>
    sentBy(call, new Api.messages.SendMessage({ peer: user, message: 'x' }))?.chat?.isNew(signal);
  const peerId = new Api.PeerUser({ userId: bigInt(1002) });
  const service = new Api.MessageService({ id: 1, peerId, date: 1, action: new Api.MessageActionContactSignUp() });
  const message = new Api.Message({ id: 2, peerId, date: 2, message: 'Hello' });

  it('[OS7.6] a chat without messages is new, one with service messages alone, too', async () => {
    expect(await isNew(answering([]))).toBe(true);
    expect(await isNew(answering([service]))).toBe(true);
    expect(await isNew(answering([service, message]))).toBe(false);
  });

  it('[OS7.6] a chat that may not be read is not new', async () => {
    const refusing =
      (error: Error): RpcCall =>
      () =>
        Promise.reject(error);
    expect(await isNew(refusing(new TelegramError(400, 'BOT_METHOD_INVALID', 'messages.GetHistory')))).toBe(false);
    const wait = new TelegramError(420, 'FLOOD_WAIT_9', 'messages.GetHistory');
    await expect(isNew(refusing(wait))).rejects.toBe(wait);
  });
});
