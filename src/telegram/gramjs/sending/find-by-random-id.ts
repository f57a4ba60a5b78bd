import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { SendMark } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { randomIdsFrom } from './random-ids.ts';
import type { Sending } from './sending.ts';

/**
 * How far back in the updates, by Telegram's numbering: of the account's private chats and basic groups, or of a
 * channel.
 */
const lookedBack = 500;
/** Telegram's maximum for one difference of a channel. */
const pageSize = 100;
const maxPages = 20;
/** Updates of stories have only dates, which are Telegram's: the search begins this much earlier. */
const storySlackSeconds = 600;

type Difference = Api.updates.TypeDifference | Api.updates.TypeChannelDifference;

type Finding = Pick<Sending, 'book' | 'sent' | 'call'>;

/**
 * Finds the message of a send by its `random_id`: a difference names it to the login that sent it
 * (https://core.telegram.org/constructor/updateMessageID), even after the login forgot it.
 * @returns undefined if it was not sent, or Telegram does not say
 */
export async function findByRandomId(
  finding: Finding,
  chat: Peer,
  randomId: bigint,
  signal: LightAbortSignal,
): Promise<number | undefined> {
  const [id] = (await findBatch(finding, chat, randomId, 1, signal)) ?? [];
  return id;
}

/**
 * Finds the messages of one send of several.
 * @param randomId of the send: see `random-ids.ts`
 * @returns the message IDs in their order; undefined unless Telegram names all
 */
export async function findBatch(
  { book, sent, call }: Finding,
  chat: Peer,
  randomId: bigint,
  count: number,
  signal: LightAbortSignal,
): Promise<number[] | undefined> {
  const peer = knownPeer(book, chat);
  const randomIds = randomIdsFrom(randomId, count);
  const unknown = randomIds.filter((each) => sent.idOf(each) === undefined);
  if (unknown.length > 0) {
    const hasOwnCount = peer.kind !== 'user' && peer.hash !== undefined;
    const past = hasOwnCount ? channelPast(call, peer, signal) : accountPast(call, signal);
    const found = await idsIn(past, Api.UpdateMessageID, unknown);
    for (const [each, id] of found) sent.remember(each, id);
  }
  const ids = randomIds.flatMap((each) => sent.idOf(each) ?? []);
  return ids.length === count ? ids : undefined;
}

/** The same for a story. */
export async function findStoryByRandomId(
  { call, toGatewayTime }: Pick<Sending, 'call' | 'toGatewayTime'>,
  { randomId, begunAt }: SendMark,
  signal: LightAbortSignal,
): Promise<number | undefined> {
  const begun = Math.floor((begunAt - toGatewayTime(0)) / 1000);
  const past = accountPast(call, signal, begun - storySlackSeconds);
  return (await idsIn(past, Api.UpdateStoryID, [randomId])).get(randomId);
}

/** The IDs that Telegram names, by random ID. It reads no further once it has all. */
async function idsIn(
  past: AsyncIterable<Difference>,
  kind: typeof Api.UpdateMessageID | typeof Api.UpdateStoryID,
  randomIds: readonly bigint[],
): Promise<Map<bigint, number>> {
  const wanted = new Map(randomIds.map((randomId) => [randomId.toString(), randomId]));
  const found = new Map<bigint, number>();
  try {
    for await (const difference of past) {
      for (const update of 'otherUpdates' in difference ? difference.otherUpdates : []) {
        if (!(update instanceof kind)) continue;
        const randomId = wanted.get(String(update.randomId));
        if (randomId !== undefined) found.set(randomId, update.id);
      }
      if (found.size === wanted.size) break;
    }
  } catch (error) {
    // There are other ways to find them.
    if (!(error instanceof TelegramError)) throw error;
  }
  return found;
}

/** @param since start of the search for updates without numbers, seconds on Telegram's clock */
async function* accountPast(call: RpcCall, signal: LightAbortSignal, since?: number): AsyncGenerator<Difference> {
  const { pts, date, qts } = await call(new Api.updates.GetState(), signal);
  const counted = { pts: Math.max(1, pts - lookedBack), date, qts };
  let from = since === undefined ? counted : { pts, date: since, qts };
  for (let page = 0; page < maxPages; page++) {
    const difference = await call(new Api.updates.GetDifference(from), signal);
    yield difference;
    if (!(difference instanceof Api.updates.DifferenceSlice)) return;
    from = difference.intermediateState;
  }
}

async function* channelPast(call: RpcCall, peer: KnownPeer, signal: LightAbortSignal): AsyncGenerator<Difference> {
  const request = new Api.messages.GetPeerDialogs({ peers: [new Api.InputDialogPeer({ peer: inputPeer(peer) })] });
  const [dialog] = (await call(request, signal)).dialogs;
  if (!(dialog instanceof Api.Dialog) || dialog.pts === undefined) return;
  const fields = { channel: inputChannel(peer), filter: new Api.ChannelMessagesFilterEmpty(), limit: pageSize };
  let pts = Math.max(1, dialog.pts - lookedBack);
  for (let page = 0; page < maxPages; page++) {
    const difference = await call(new Api.updates.GetChannelDifference({ ...fields, pts }), signal);
    yield difference;
    if (!(difference instanceof Api.updates.ChannelDifference) || difference.final === true) return;
    pts = difference.pts;
  }
}
