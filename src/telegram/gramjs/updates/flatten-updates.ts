import { Api } from 'telegram/tl/index.js';

/** The single updates inside a message of Telegram, with its short forms expanded. `UpdatesTooLong` holds none. */
export function flattenUpdates(updates: Api.TypeUpdates): Api.TypeUpdate[] {
  if (updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined) return updates.updates;
  if (updates instanceof Api.UpdateShort) return [updates.update];
  if (updates instanceof Api.UpdateShortMessage) {
    const { userId } = updates;
    return [newMessage(updates, { peerId: new Api.PeerUser({ userId }) })];
  }
  if (updates instanceof Api.UpdateShortChatMessage) {
    const { chatId, fromId } = updates;
    return [
      newMessage(updates, { peerId: new Api.PeerChat({ chatId }), fromId: new Api.PeerUser({ userId: fromId }) }),
    ];
  }
  return [];
}

/** Updates that name sent messages come first, then the messages: so the gateway recognises its own. */
export function updatesIn({
  newMessages,
  otherUpdates,
}: Api.updates.Difference | Api.updates.DifferenceSlice): Api.TypeUpdate[] {
  return [
    ...otherUpdates.filter((update) => update instanceof Api.UpdateMessageID),
    ...newMessages.map((message) => new Api.UpdateNewMessage({ message, pts: 0, ptsCount: 0 })),
    ...otherUpdates.filter((update) => !(update instanceof Api.UpdateMessageID)),
  ];
}

/** The same of a channel's difference. */
export function differenceUpdates({ newMessages, otherUpdates }: Api.updates.ChannelDifference): Api.TypeUpdate[] {
  return [
    ...otherUpdates.filter((update) => update instanceof Api.UpdateMessageID),
    ...newMessages.map((message) => new Api.UpdateNewChannelMessage({ message, pts: 0, ptsCount: 0 })),
    ...otherUpdates.filter((update) => !(update instanceof Api.UpdateMessageID)),
  ];
}

/** The number of an update in the account's own box, and how many numbers it takes. */
export interface UpdatePlace {
  pts: number;
  ptsCount: number;
}

/** Undefined if an update has no number. */
export function placeOf(update: Api.TypeUpdate): UpdatePlace | undefined {
  const { pts, ptsCount, className } = update as { pts?: number; ptsCount?: number; className: string };
  return typeof pts !== 'number' || typeof ptsCount !== 'number' || className.includes('Channel')
    ? undefined
    : { pts, ptsCount };
}

/** Whether an update is known already. One that counts nothing may have the number of the last one. */
export const isCounted = ({ pts, ptsCount }: UpdatePlace, at: number): boolean => (ptsCount > 0 ? pts <= at : pts < at);

function newMessage(
  short: Api.UpdateShortMessage | Api.UpdateShortChatMessage,
  peers: { peerId: Api.TypePeer; fromId?: Api.TypePeer },
): Api.UpdateNewMessage {
  const { pts, ptsCount } = short;
  const message = new Api.Message({
    ...peers,
    out: short.out,
    mentioned: short.mentioned,
    mediaUnread: short.mediaUnread,
    silent: short.silent,
    id: short.id,
    message: short.message,
    date: short.date,
    fwdFrom: short.fwdFrom,
    viaBotId: short.viaBotId,
    replyTo: short.replyTo,
    entities: short.entities,
    ttlPeriod: short.ttlPeriod,
  });
  return new Api.UpdateNewMessage({ message, pts, ptsCount });
}
