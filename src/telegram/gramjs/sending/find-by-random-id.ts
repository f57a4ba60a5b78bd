import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { SendMark } from '../../port/outgoing.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer } from '../peers/input-peer.ts';
import type { Sending } from './send-once.ts';

/** How far back in what has happened, by Telegram's count: in the account's private chats and basic groups, or a channel. */
const lookedBack = 500;
/** Of a channel at a time, the most there is for people. */
const pageSize = 100;
const mostPages = 20;
/** Stories are told of by their dates, which are Telegram's: so much earlier. */
const storySlackSeconds = 600;

type Difference = Api.updates.TypeDifference | Api.updates.TypeChannelDifference;

/**
 * Which message a send became, in Telegram's own words: the login that sent is told so in what has happened since
 * (https://core.telegram.org/constructor/updateMessageID), also when it has forgotten all about it.
 * @returns undefined where it was not sent, or Telegram does not say
 */
export async function findByRandomId(
  { sent, call }: Pick<Sending, 'sent' | 'call'>,
  peer: KnownPeer,
  randomId: bigint,
  signal: LightAbortSignal,
): Promise<number | undefined> {
  const known = sent.idOf(randomId);
  if (known !== undefined) return known;
  const hasOwnCount = peer.kind !== 'user' && peer.hash !== undefined;
  const past = hasOwnCount ? channelPast(call, peer, signal) : accountPast(call, signal);
  const id = await idIn(past, Api.UpdateMessageID, randomId);
  if (id !== undefined) sent.remember(randomId, id);
  return id;
}

/** Likewise for a story. */
export async function findStoryByRandomId(
  { call, toGatewayTime }: Pick<Sending, 'call' | 'toGatewayTime'>,
  { randomId, begunAt }: SendMark,
  signal: LightAbortSignal,
): Promise<number | undefined> {
  const begun = Math.floor((begunAt - toGatewayTime(0)) / 1000);
  return idIn(accountPast(call, signal, begun - storySlackSeconds), Api.UpdateStoryID, randomId);
}

async function idIn(
  past: AsyncIterable<Difference>,
  kind: typeof Api.UpdateMessageID | typeof Api.UpdateStoryID,
  randomId: bigint,
): Promise<number | undefined> {
  const wanted = randomId.toString();
  try {
    for await (const difference of past) {
      const updates = 'otherUpdates' in difference ? difference.otherUpdates : [];
      const isIt = (update: Api.TypeUpdate): update is Api.UpdateMessageID | Api.UpdateStoryID =>
        update instanceof kind && update.randomId?.toString() === wanted;
      const id = updates.find(isIt)?.id;
      if (id !== undefined) return id;
    }
  } catch (error) {
    // There are other ways to know it.
    if (!(error instanceof TelegramError)) throw error;
  }
  return undefined;
}

/** @param since of what is not counted, seconds on Telegram's clock; what is counted is looked through otherwise */
async function* accountPast(call: RpcCall, signal: LightAbortSignal, since?: number): AsyncGenerator<Difference> {
  const { pts, date, qts } = await call(new Api.updates.GetState(), signal);
  const counted = { pts: Math.max(1, pts - lookedBack), date, qts };
  let from = since === undefined ? counted : { pts, date: since, qts };
  for (let page = 0; page < mostPages; page++) {
    const difference = await call(new Api.updates.GetDifference(from), signal);
    yield difference;
    if (!(difference instanceof Api.updates.DifferenceSlice)) return;
    from = difference.intermediateState;
  }
}

async function* channelPast(call: RpcCall, peer: KnownPeer, signal: LightAbortSignal): AsyncGenerator<Difference> {
  const asked = new Api.messages.GetPeerDialogs({ peers: [new Api.InputDialogPeer({ peer: inputPeer(peer) })] });
  const [dialog] = (await call(asked, signal)).dialogs;
  if (!(dialog instanceof Api.Dialog) || dialog.pts === undefined) return;
  const fields = { channel: inputChannel(peer), filter: new Api.ChannelMessagesFilterEmpty(), limit: pageSize };
  let pts = Math.max(1, dialog.pts - lookedBack);
  for (let page = 0; page < mostPages; page++) {
    const difference = await call(new Api.updates.GetChannelDifference({ ...fields, pts }), signal);
    yield difference;
    if (!(difference instanceof Api.updates.ChannelDifference) || difference.final === true) return;
    pts = difference.pts;
  }
}
