import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { beforeEach, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { ChannelBoxes } from '../../../../../src/telegram/gramjs/updates/channel-boxes.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { NotConnectedError, TelegramError } from '../../../../../src/telegram/port/errors.ts';
import { createDrivenClock, type DrivenClock } from '../../../../support/kit/clock.ts';

const [first, second] = ['-1003001', '-1003002'];
const retryMs = 5_000;

const dialog = (channel: number, pts: number): Api.Dialog =>
  new Api.Dialog({
    peer: new Api.PeerChannel({ channelId: bigInt(channel) }),
    pts,
    topMessage: 1,
    readInboxMaxId: 0,
    readOutboxMaxId: 0,
    unreadCount: 0,
    unreadMentionsCount: 0,
    unreadReactionsCount: 0,
    notifySettings: new Api.PeerNotifySettings({}),
  });

let clock: DrivenClock;
/** Requests that Telegram has got, by their names. */
let asked: string[];
/** The errors of requests, by their names: the next one first. */
let failures: Record<string, Error[]>;
let lost: string[];
let recorded: () => Promise<ReadonlyMap<string, number>>;
/** Up to where updates were passed on. */
let positions: [id: string, pts: number][];
let difference: () => Api.updates.TypeChannelDifference;
let boxes: ChannelBoxes;

/** Telegram tells of a message of the first channel. */
const push = (pts: number): boolean => {
  const peerId = new Api.PeerChannel({ channelId: bigInt(3001) });
  const message = new Api.Message({ id: pts, peerId, date: 1, message: 'hello' });
  return boxes.handle(new Api.UpdateNewChannelMessage({ message, pts, ptsCount: 1 }));
};

beforeEach(() => {
  clock = createDrivenClock();
  asked = [];
  failures = {};
  lost = [];
  difference = () => new Api.updates.ChannelDifferenceEmpty({ final: true, pts: 7 });
  positions = [];
  recorded = async () => new Map();
  const call = async (request: Api.AnyRequest): Promise<unknown> => {
    asked.push(request.className);
    const failure = failures[request.className]?.shift();
    if (failure !== undefined) throw failure;
    if (request instanceof Api.messages.GetPeerDialogs) return { dialogs: [dialog(3001, 7), dialog(3002, 7)] };
    return difference();
  };
  const nothing = (): void => {};
  boxes = new ChannelBoxes(
    {
      clock,
      call,
      book: new PeerCache([first, second].map((id) => ({ kind: 'channel', id, hash: '1' }))),
      signal: new AbortController().signal,
      isWanted: () => true,
      recorded: () => recorded(),
      learn: nothing,
      onUpdates: (_updates, _missed, { id, pts }) => void positions.push([id, pts]),
      onMembership: nothing,
      isDoubtful: () => false,
      room: async () => {},
      onLost: (reason) => void lost.push(reason),
      onChange: nothing,
    },
    [first, second].map((id) => ({ id, pts: 5, readInbox: 0, readOutbox: 0 })),
  );
});

const look = 'messages.GetPeerDialogs';
const fetch = 'updates.GetChannelDifference';
const both = [
  [first, 7],
  [second, 7],
];

it('[EV1.5] looks at the channels again if the record could not be read', async () => {
  recorded = async () => {
    recorded = async () => new Map();
    throw new StoreUnavailableError('away');
  };
  boxes.check();
  await clock.advance(retryMs - 1);
  expect(asked).toEqual([]);
  await clock.advance(1);
  expect(asked).toEqual([look, fetch, fetch]);
  expect(positions).toEqual(both);
});

it('[EV1.5] looks at the channels again if Telegram did not say where they are', async () => {
  failures[look] = [new TelegramError(500, 'INTERNAL', 'GetPeerDialogs')];
  boxes.check();
  await clock.advance(retryMs - 1);
  expect(asked).toEqual([look]);
  await clock.advance(1);
  expect(asked.slice(1)).toEqual([look, fetch, fetch]);
  expect(positions).toEqual(both);
  await clock.advance(2 * retryMs);
  expect(asked).toHaveLength(4);
});

it.each([
  [500, 'HISTORY_GET_FAILED'],
  [500, 'PERSISTENT_TIMESTAMP_OUTDATED'],
  [420, 'FLOOD_WAIT_300'],
] as const)(
  '[EV1.5] what Telegram cannot give now (%i %s) is fetched later, and holds up no other channel',
  async (code, name) => {
    failures[fetch] = [new TelegramError(code, name, 'GetChannelDifference')];
    boxes.check();
    await clock.advance(retryMs - 1);
    expect(positions).toEqual([[second, 7]]);
    await clock.advance(1);
    expect(positions).toEqual(both.toReversed());
    expect(asked).toEqual([look, fetch, fetch, fetch]);
    expect(lost).toEqual([]);
  },
);

it('[EV1.5] without a connection no other channel is tried', async () => {
  failures[fetch] = [new NotConnectedError('away')];
  boxes.check();
  await clock.advance(retryMs - 1);
  expect([asked, positions]).toEqual([[look, fetch], []]);
  await clock.advance(1);
  expect(positions).toEqual(both);
});

it('[EV1.5] a channel that Telegram does not show is not asked for again', async () => {
  failures[fetch] = [new TelegramError(406, 'CHANNEL_PRIVATE', 'GetChannelDifference')];
  boxes.check();
  await clock.advance(2 * retryMs);
  expect([positions, asked.length, lost]).toEqual([[[second, 7]], 3, []]);
});

it('[EV1.5] a position that Telegram does not know is lost', async () => {
  failures[fetch] = [new TelegramError(400, 'PERSISTENT_TIMESTAMP_INVALID', 'GetChannelDifference')];
  boxes.check();
  await clock.advance(2 * retryMs);
  expect(lost).toEqual(['position-unknown']);
  expect(asked).toEqual([look, fetch, look, fetch]);
});

it('[EV1.5] what is pushed while a channel is fetched, and came after it, is fetched as well', async () => {
  let pts = 7;
  difference = () => {
    const answer = new Api.updates.ChannelDifferenceEmpty({ final: true, pts });
    // The push comes behind the answer, and both at once.
    if (pts === 7) push((pts = 8));
    return answer;
  };
  boxes.check();
  await clock.advance(retryMs);
  expect(positions).toEqual([
    [first, 7],
    [second, 8],
    [first, 8],
  ]);
  expect(asked).toEqual([look, fetch, fetch, fetch]);
});
