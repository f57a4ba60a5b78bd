import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { answerJson } from '../../../../../src/telegram/gramjs/raw/answer-json.ts';

/** Telegram's answers as JSON. */

const service = new Api.PeerUser({ userId: bigInt(777000) });
const bob = new Api.PeerUser({ userId: bigInt(1002) });
const code = 'Login code: 12345';
const message = (more: Partial<ConstructorParameters<typeof Api.Message>[0]>): Api.Message =>
  new Api.Message({ id: 5, peerId: bob, date: 1_767_225_600, message: code, ...more });

describe('answerJson', () => {
  it('[RM1.1] has published names, bytes as base64, 64-bit integers as texts, and nothing that is not there', () => {
    const photo = new Api.Photo({
      id: bigInt('9007199254740993'),
      accessHash: bigInt(-1),
      fileReference: Buffer.from([0, 255]),
      date: 7,
      sizes: [new Api.PhotoStrippedSize({ type: 'i', bytes: Buffer.from('ab') })],
      dcId: 2,
    });
    expect(answerJson(photo)).toEqual({
      _: 'photo',
      id: '9007199254740993',
      access_hash: '-1',
      file_reference: 'AP8=',
      date: 7,
      sizes: [{ _: 'photoStrippedSize', type: 'i', bytes: 'YWI=' }],
      dc_id: 2,
    });
  });

  it('[RM1.1] a flag is there if it is set, a Bool always', () => {
    const chat = new Api.PeerNotifySettings({ silent: false, muteUntil: 0 });
    expect(answerJson(chat)).toEqual({ _: 'peerNotifySettings', silent: false, mute_until: 0 });
    expect(answerJson(new Api.messages.AffectedHistory({ pts: 1, ptsCount: 2, offset: 0 }))).toEqual({
      _: 'messages.affectedHistory',
      pts: 1,
      pts_count: 2,
      offset: 0,
    });
  });

  it.each<[unknown, unknown]>([
    [true, true],
    [
      [1, 2],
      [1, 2],
    ],
    [[bigInt(5)], ['5']],
    [[new Api.PeerUser({ userId: bigInt(5) })], [{ _: 'peerUser', user_id: '5' }]],
  ])('[RM1.1] a bare answer: %j', (answer, json) => {
    expect(answerJson(answer)).toEqual(json);
  });

  const empty = { _: 'messageEmpty', id: 5 };
  it.each<[string, object, object]>([
    ['in their chat', message({ peerId: service }), { ...empty, peer_id: { _: 'peerUser', user_id: '777000' } }],
    ['from them', message({ fromId: service }), { ...empty, peer_id: { _: 'peerUser', user_id: '1002' } }],
    [
      'forwarded',
      message({ fwdFrom: new Api.MessageFwdHeader({ date: 1, fromId: service }) }),
      { ...empty, peer_id: { _: 'peerUser', user_id: '1002' } },
    ],
    [
      'quoted',
      message({
        replyTo: new Api.MessageReplyHeader({
          replyFrom: new Api.MessageFwdHeader({ date: 1, fromId: service }),
          quoteText: code,
        }),
      }),
      { ...empty, peer_id: { _: 'peerUser', user_id: '1002' } },
    ],
    [
      'quoted in another chat',
      message({ replyTo: new Api.MessageReplyHeader({ replyToPeerId: service, quoteText: code }) }),
      { ...empty, peer_id: { _: 'peerUser', user_id: '1002' } },
    ],
    [
      'as a service message',
      new Api.MessageService({
        id: 5,
        peerId: service,
        date: 1,
        action: new Api.MessageActionCustomAction({ message: code }),
      }),
      { ...empty, peer_id: { _: 'peerUser', user_id: '777000' } },
    ],
  ])('[RM1.5] a message of 777000 is empty: %s', (_where, from, expected) => {
    expect(answerJson(from)).toEqual(expected);
    expect(answerJson(new Api.UpdateNewMessage({ message: from as Api.Message, pts: 1, ptsCount: 1 }))).toEqual({
      _: 'updateNewMessage',
      message: expected,
      pts: 1,
      pts_count: 1,
    });
  });

  it.each<[string, object]>([
    [
      'updateShortMessage',
      new Api.UpdateShortMessage({ id: 5, userId: bigInt(42777), message: code, pts: 1, ptsCount: 1, date: 1 }),
    ],
    [
      'updateShortChatMessage',
      new Api.UpdateShortChatMessage({
        id: 5,
        fromId: bigInt(777000),
        chatId: bigInt(1),
        message: code,
        pts: 1,
        ptsCount: 1,
        date: 1,
      }),
    ],
    [
      'updateServiceNotification',
      new Api.UpdateServiceNotification({
        type: 'code',
        message: code,
        media: new Api.MessageMediaEmpty(),
        entities: [],
      }),
    ],
  ])('[RM1.5] %s of theirs has no text', (name, update) => {
    const json = answerJson(update);
    expect(json).toMatchObject({ _: name, message: '' });
    expect(JSON.stringify(json)).not.toContain('12345');
  });

  it('[RM1.5] what others write stays', () => {
    expect(answerJson(message({}))).toMatchObject({ _: 'message', message: code });
    const short = { id: 5, message: code, pts: 1, ptsCount: 1, date: 1 };
    for (const update of [
      new Api.UpdateShortMessage({ ...short, userId: bigInt(1002) }),
      new Api.UpdateShortChatMessage({ ...short, fromId: bigInt(1002), chatId: bigInt(1) }),
    ]) {
      expect(answerJson(update)).toMatchObject({ message: code });
    }
  });
});
