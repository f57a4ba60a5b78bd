import bigInt from 'big-integer';
import fc from 'fast-check';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { loadDialogs } from '../../../../../src/telegram/gramjs/chats/dialogs.ts';
import { knownPeerOf } from '../../../../../src/telegram/gramjs/peers/peers-in-updates.ts';

interface Listed {
  id: number;
  kind: 'user' | 'channel';
  folder: 0 | 1;
  isPinned: boolean;
  /** A dialog whose messages have all been deleted has none. */
  hasMessage: boolean;
}

const long = (value: number): bigInt.BigInteger => bigInt(value);
const notifySettings = new Api.PeerNotifySettings({});
const peerOf = ({ kind, id }: Listed): Api.TypePeer =>
  kind === 'user' ? new Api.PeerUser({ userId: long(id) }) : new Api.PeerChannel({ channelId: long(id) });

/** Telegram's list of dialogs: pinned ones first, on the first slice; then by the date of the last message. */
function telegram(all: readonly Listed[], sliceSize: number) {
  const asked: number[] = [];
  const ask = async (request: Api.messages.GetDialogs): Promise<Api.messages.TypeDialogs> => {
    const folder = request.folderId ?? 0;
    asked.push(folder);
    const own = all.filter((each) => each.folder === folder);
    const isFirst = request.offsetDate === 0;
    // The ID is the date: what is older comes later.
    const rest = own
      .filter(({ isPinned, id }) => !isPinned && (isFirst || id < request.offsetDate))
      .toSorted((a, b) => b.id - a.id);
    const given = [...(isFirst ? own.filter(({ isPinned }) => isPinned) : []), ...rest].slice(0, sliceSize);
    const answer = {
      dialogs: given.map(
        (each) =>
          new Api.Dialog({
            peer: peerOf(each),
            topMessage: each.hasMessage ? each.id : 0,
            readInboxMaxId: 0,
            readOutboxMaxId: 0,
            unreadCount: 0,
            unreadMentionsCount: 0,
            unreadReactionsCount: 0,
            notifySettings,
          }),
      ),
      messages: given
        .filter(({ hasMessage }) => hasMessage)
        .map((each) => new Api.Message({ id: each.id, peerId: peerOf(each), date: each.id, message: '' })),
      chats: [
        ...given.filter(({ kind }) => kind === 'channel').map(({ id }) => channel(id)),
        // Some message was forwarded from there: no dialog.
        channel(999_999),
      ],
      users: given
        .filter(({ kind }) => kind === 'user')
        .map(({ id }) => new Api.User({ id: long(id), accessHash: long(1), firstName: 'A' })),
    };
    return given.length === own.length
      ? new Api.messages.Dialogs(answer)
      : new Api.messages.DialogsSlice({ ...answer, count: own.length });
  };
  return { ask, asked };
}
const channel = (id: number): Api.Channel =>
  new Api.Channel({
    id: long(id),
    accessHash: long(1),
    title: 'C',
    photo: new Api.ChatPhotoEmpty(),
    date: 1,
    megagroup: true,
  });

const lists = fc
  .array(
    fc.record({
      kind: fc.constantFrom('user', 'channel'),
      folder: fc.constantFrom(0, 0, 0, 1),
      isPinned: fc.nat(20).map((drawn) => drawn === 0),
      hasMessage: fc.nat(9).map((drawn) => drawn > 0),
    }),
    { maxLength: 320, size: 'max' },
  )
  .map((rows) => rows.map((row, place) => ({ ...row, id: place + 1 })));

describe('all dialogs', () => {
  it('[GR1.1] every group and channel is found once, pinned or archived, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (all) => {
        const { ask } = telegram(all, 100);
        const found = (await loadDialogs(ask)).map((chat) => Number(knownPeerOf(chat)?.id.slice('-100'.length)));
        const wanted = all.filter(({ kind }) => kind === 'channel').map(({ id }) => id);
        expect(found.toSorted((a, b) => a - b)).toEqual(wanted);
      }),
      { seed: 20260107, numRuns: 60 },
    );
  });

  it.each([
    [0, 2],
    [99, 2],
    [100, 2],
    [101, 3],
    [300, 4],
  ])('[GR1.1] %i in the list and none in the archive take %i requests', async (count, requests) => {
    const all = Array.from(
      { length: count },
      (_, place): Listed => ({ id: place + 1, kind: 'user', folder: 0, isPinned: false, hasMessage: true }),
    );
    const { ask, asked } = telegram(all, 100);
    expect(await loadDialogs(ask)).toEqual([]);
    expect(asked).toEqual([...Array.from({ length: requests - 1 }, () => 0), 1]);
  });
});
