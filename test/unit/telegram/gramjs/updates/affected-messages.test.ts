import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { ownChange } from '../../../../../src/telegram/gramjs/updates/affected-messages.ts';

const place = { pts: 20, ptsCount: 2 };
const affected = new Api.messages.AffectedMessages(place);
const history = new Api.messages.AffectedHistory({ ...place, offset: 0 });
const bob = new Api.InputPeerUser({ userId: bigInt(7), accessHash: bigInt(1) });
const group = new Api.InputPeerChat({ chatId: bigInt(8) });
const channel = new Api.InputPeerChannel({ channelId: bigInt(9), accessHash: bigInt(1) });
const read = (peer: Api.TypeInputPeer, maxId = 5): Api.messages.ReadHistory =>
  new Api.messages.ReadHistory({ peer, maxId });

describe('[MX2.7] the change in the account’s own box', () => {
  it('a deletion is an update about these messages', () => {
    const request = new Api.messages.DeleteMessages({ id: [3, 4], revoke: true });
    const update = { className: 'UpdateDeleteMessages', messages: [3, 4], ...place };
    expect(ownChange(request, affected, '1')).toMatchObject({ ...place, update });
  });

  it.each<[string, Api.TypeInputPeer, object]>([
    ['a person', bob, { className: 'PeerUser', userId: bigInt(7) }],
    ['a basic group', group, { className: 'PeerChat', chatId: bigInt(8) }],
    ['the account itself', new Api.InputPeerSelf(), { className: 'PeerUser', userId: bigInt(1) }],
  ])('a reading is one about the chat: %s', (_name, input, peer) => {
    const update = { className: 'UpdateReadHistoryInbox', peer, maxId: 5, ...place };
    expect(ownChange(read(input), affected, '1')).toMatchObject({ ...place, update });
  });

  it.each<[string, Api.AnyRequest, unknown]>([
    ['a reading up to no message', read(bob, 0), affected],
    ['a reading of an account that is not known', read(new Api.InputPeerSelf()), affected],
    ['all pins', new Api.messages.UnpinAllMessages({ peer: bob }), history],
  ])('only its number is known: %s', (_name, request, answer) => {
    expect(ownChange(request, answer, undefined)).toEqual(place);
  });

  it.each<[string, Api.AnyRequest, unknown]>([
    ['a deletion in a channel', new Api.channels.DeleteMessages({ channel, id: [1] }), affected],
    ['all pins of a channel', new Api.messages.UnpinAllMessages({ peer: channel }), history],
    ['another answer', new Api.messages.DeleteMessages({ id: [1] }), true],
  ])('there is none: %s', (_name, request, answer) => {
    expect(ownChange(request, answer, '1')).toBeUndefined();
  });
});
