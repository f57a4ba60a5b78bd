import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { requireOtherSources } from '../../../../../src/telegram/gramjs/raw/source-messages.ts';
import { failureOf } from '../../../../support/kit/failure-of.ts';

const service = new Api.PeerUser({ userId: bigInt(777000) });
const bob = new Api.PeerUser({ userId: bigInt(1002) });
const makers = new Api.PeerChannel({ channelId: bigInt(3001) });
const inMakers = new Api.InputPeerChannel({ channelId: bigInt(3001), accessHash: bigInt(7) });
const fwdFrom = new Api.MessageFwdHeader({ date: 1, fromId: service });
const message = (id: number, fields: Partial<Api.Message> = {}): Api.Message =>
  new Api.Message({ id, peerId: bob, date: 1, message: 'Login code: 12345', ...fields });
const forward = (fromPeer: Api.TypeInputPeer, id: number[]): Api.messages.ForwardMessages =>
  new Api.messages.ForwardMessages({ fromPeer, toPeer: new Api.InputPeerSelf(), id, dropAuthor: true, randomId: [] });

/** What becomes of a request for messages of an account that has these. */
async function outcomeOf(request: object, all: readonly Api.TypeMessage[]): Promise<unknown> {
  const asked: unknown[] = [];
  const call = ((look: Api.messages.GetMessages | Api.channels.GetMessages) => {
    const ids = look.id.map((each) => Number(Object(each).id));
    asked.push([look.className, ids.length]);
    const messages = all.filter(({ id }) => ids.includes(id));
    return Promise.resolve(new Api.messages.Messages({ messages, chats: [], users: [] }));
  }) as unknown as RpcCall;
  const signal = new LightAbort();
  return [asked, await failureOf(requireOtherSources(call, request, signal))];
}
const refusal = (field: string): object =>
  expect.objectContaining({ failures: [`params.${field} must not name messages of Telegram's own accounts`] });

describe('messages of Telegram itself', () => {
  const own = new Api.InputPeerSelf();
  it.each<[string, object, Api.TypeMessage, string]>([
    ['forwarded', forward(own, [5]), message(5, { peerId: service }), 'id'],
    ['forwarded once more', forward(own, [5]), message(5, { fwdFrom }), 'id'],
    ['forwarded from a channel', forward(inMakers, [5]), message(5, { peerId: makers, fwdFrom }), 'id'],
    ['translated', new Api.messages.TranslateText({ peer: own, id: [5], toLang: 'en' }), message(5, { fwdFrom }), 'id'],
    [
      'transcribed',
      new Api.messages.TranscribeAudio({ peer: own, msgId: 5 }),
      message(5, { peerId: service }),
      'msg_id',
    ],
  ])('[RM1.9] are not %s', async (_what, request, found, field) => {
    const [, failure] = (await outcomeOf(request, [found])) as [unknown, unknown];
    expect(failure).toEqual(refusal(field));
  });

  it('[RM1.9] are found among hundreds', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    const all = ids.map((id) => message(id, id === 250 ? { peerId: service } : {}));
    const page = ['messages.GetMessages', 100];
    expect(await outcomeOf(forward(own, ids), all)).toEqual([
      [page, page, ['messages.GetMessages', 50]],
      refusal('id'),
    ]);
  });
});

it('[RM1.9] other messages are looked up in their chat, and copied', async () => {
  const found = message(5, { peerId: makers });
  expect(await outcomeOf(forward(inMakers, [5]), [found])).toEqual([[['channels.GetMessages', 1]], undefined]);
  expect(await outcomeOf(forward(inMakers, [6]), [new Api.MessageEmpty({ id: 6 })])).toEqual([
    [['channels.GetMessages', 1]],
    undefined,
  ]);
});

it('[RM1.9] other requests look nothing up', async () => {
  const text = new Api.TextWithEntities({ text: 'Hallo', entities: [] });
  expect(await outcomeOf(new Api.messages.TranslateText({ text: [text], toLang: 'en' }), [])).toEqual([[], undefined]);
  expect(await outcomeOf(new Api.help.GetConfig(), [])).toEqual([[], undefined]);
});
