import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { beforeEach, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { ChannelBoxes } from '../../../../../src/telegram/gramjs/updates/channel-boxes.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { createDrivenClock, type DrivenClock } from '../../../../support/kit/clock.ts';

const id = '-1003001';
const retryMs = 5_000;

const dialog = (pts: number): Api.Dialog =>
  new Api.Dialog({
    peer: new Api.PeerChannel({ channelId: bigInt(3001) }),
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
/** What fails, the next one first. */
let failures: Error[];
let recorded: () => Promise<ReadonlyMap<string, number>>;
let positions: number[];
let boxes: ChannelBoxes;

beforeEach(() => {
  clock = createDrivenClock();
  asked = [];
  failures = [];
  positions = [];
  recorded = async () => new Map();
  const call = async (request: Api.AnyRequest): Promise<unknown> => {
    asked.push(request.className);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    if (request instanceof Api.messages.GetPeerDialogs) return { dialogs: [dialog(7)] };
    return new Api.updates.ChannelDifferenceEmpty({ final: true, pts: 7 });
  };
  const nothing = (): void => {};
  boxes = new ChannelBoxes(
    {
      clock,
      call,
      book: new PeerCache([{ kind: 'channel', id, hash: '1' }]),
      signal: new AbortController().signal,
      isWanted: () => true,
      recorded: () => recorded(),
      learn: nothing,
      onUpdates: (_updates, _missed, { pts }) => void positions.push(pts),
      onMembership: nothing,
      isDoubtful: () => false,
      room: async () => {},
      onLost: nothing,
      onChange: nothing,
    },
    [{ id, pts: 5, readInbox: 0, readOutbox: 0 }],
  );
});

it('[EV1.5] looks at the channels again if the record could not be read', async () => {
  recorded = async () => {
    recorded = async () => new Map();
    throw new StoreUnavailableError('away');
  };
  boxes.check();
  await clock.advance(retryMs - 1);
  expect(asked).toEqual([]);
  await clock.advance(1);
  expect(asked).toEqual(['messages.GetPeerDialogs', 'updates.GetChannelDifference']);
  expect(positions).toEqual([7]);
});

it('[EV1.5] looks at the channels again if Telegram did not say where they are', async () => {
  failures.push(new Error('500: INTERNAL'));
  boxes.check();
  await clock.advance(retryMs - 1);
  expect(asked).toEqual(['messages.GetPeerDialogs']);
  await clock.advance(1);
  expect(asked.slice(1)).toEqual(['messages.GetPeerDialogs', 'updates.GetChannelDifference']);
  expect(positions).toEqual([7]);
  await clock.advance(2 * retryMs);
  expect(asked).toHaveLength(3);
});
