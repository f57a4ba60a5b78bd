import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';

/** How the account's own box has moved on by a request: to which number, by how many, and by which update if it is known. */
export interface OwnChange {
  pts: number;
  ptsCount: number;
  update?: Api.TypeUpdate;
}

/**
 * The change that a request made in the account's own box, whose answer says so with a number alone: the update about it
 * goes to the other logins only (https://core.telegram.org/api/updates). Undefined for all other answers, and for what
 * happened in the box of a supergroup or channel.
 * @param ownId the account's own user ID
 */
export function ownChange(request: Api.AnyRequest, answer: unknown, ownId: string | undefined): OwnChange | undefined {
  const isCount = answer instanceof Api.messages.AffectedMessages || answer instanceof Api.messages.AffectedHistory;
  if (!isCount || isOfChannel(request)) return undefined;
  const { pts, ptsCount } = answer;
  const update = updateOf(request, { pts, ptsCount }, ownId);
  return { pts, ptsCount, ...(update && { update }) };
}

function updateOf(
  request: Api.AnyRequest,
  place: { pts: number; ptsCount: number },
  ownId: string | undefined,
): Api.TypeUpdate | undefined {
  if (request instanceof Api.messages.DeleteMessages) {
    return new Api.UpdateDeleteMessages({ messages: request.id, ...place });
  }
  if (!(request instanceof Api.messages.ReadHistory) || request.maxId <= 0) return undefined;
  const peer = chatOf(request.peer, ownId);
  return peer && new Api.UpdateReadHistoryInbox({ peer, maxId: request.maxId, stillUnreadCount: 0, ...place });
}

function isOfChannel(request: Api.AnyRequest): boolean {
  const { peer, className } = request as { peer?: unknown; className: string };
  return className.startsWith('channels.') || peer instanceof Api.InputPeerChannel;
}

function chatOf(peer: unknown, ownId: string | undefined): Api.TypePeer | undefined {
  if (peer instanceof Api.InputPeerUser) return new Api.PeerUser({ userId: peer.userId });
  if (peer instanceof Api.InputPeerChat) return new Api.PeerChat({ chatId: peer.chatId });
  const isSelf = peer instanceof Api.InputPeerSelf && ownId !== undefined;
  return isSelf ? new Api.PeerUser({ userId: bigInt(ownId) }) : undefined;
}
