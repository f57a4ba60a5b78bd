import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { long } from '../peers/text-entities.ts';
import type { Dispatch, Sending } from './sending.ts';

/** How far back a message without a known ID is searched: pages, and messages in each. */
const searchedPages = 10;
const pageSize = 100;
/** Telegram's dates are whole seconds, and so is its clock. */
const dateSlackMs = 2_000;

/** What is known of a message that is searched. */
type Wanted = Omit<Dispatch, 'request'>;

/**
 * Finds the message that a send most likely became, by its content and time. No other send gets the same message: equal
 * messages are matched in their order.
 */
export async function findByContent(
  sending: Sending,
  dispatch: Wanted,
  signal: LightAbortSignal,
): Promise<Api.Message | undefined> {
  const { sent, call } = sending;
  const { peer, randomId, matches } = dispatch;
  const alike: Api.Message[] = [];
  let offsetId = 0;
  for (let page = 0; page < searchedPages; page++) {
    const history = await call(historyRequest(peer, offsetId), signal);
    if (history instanceof Api.messages.MessagesNotModified) break;
    for (const message of history.messages) {
      const isOurs = message instanceof Api.Message && (message.out === true || message.post === true);
      if (isOurs && matches(message)) alike.push(message);
    }
    const last = history.messages.at(-1);
    if (last === undefined || (alike.length > 0 && !isSince(sending, dispatch.begunAt, last))) break;
    offsetId = last.id;
  }
  // No await between here and the claim: a concurrent search must not find the same message.
  const free = alike.filter(({ id }) => !sent.isClaimed(peer.id, id)).toReversed();
  const found = likeliest(sending, dispatch.begunAt, free);
  if (found !== undefined) sent.remember(randomId, found.id);
  return found;
}

/**
 * Of the messages that match, the oldest since the send began. If the clock was changed meanwhile, all may be older;
 * then the newest.
 */
export function likeliest<T extends { date: number }>(
  by: Pick<Sending, 'toGatewayTime'>,
  begunAt: number,
  alike: readonly T[],
): T | undefined {
  return alike.find((one) => isSince(by, begunAt, one)) ?? alike.at(-1);
}

/** @param dated a service message also has its date; a deleted one has none */
function isSince({ toGatewayTime }: Pick<Sending, 'toGatewayTime'>, begunAt: number, dated: object): boolean {
  const date = 'date' in dated ? Number(dated.date) : Infinity;
  return toGatewayTime(date) >= begunAt - dateSlackMs;
}

function historyRequest(peer: KnownPeer, offsetId: number): Api.messages.GetHistory {
  return new Api.messages.GetHistory({
    peer: inputPeer(peer),
    offsetId,
    limit: pageSize,
    offsetDate: 0,
    addOffset: 0,
    maxId: 0,
    minId: 0,
    hash: long(0n),
  });
}
