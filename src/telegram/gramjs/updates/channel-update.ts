import { Api } from 'telegram/tl/index.js';
import type { ChannelBox } from '../../login/login-state.ts';
import { inputChannel } from '../peers/input-peer.ts';
import { peerId } from '../peers/peers-in-updates.ts';

/** The number of an update in the box of a supergroup or channel; undefined if it has none. */
export function numberedUpdate(update: Api.TypeUpdate): { id: string; pts: number; ptsCount: number } | undefined {
  // All that have a channel have both.
  const { pts, ptsCount } = update as { pts: number; ptsCount: number };
  const id = channelOf(update);
  return id === undefined ? undefined : { id, pts, ptsCount };
}

function channelOf(update: Api.TypeUpdate): string | undefined {
  if (update instanceof Api.UpdateNewChannelMessage || update instanceof Api.UpdateEditChannelMessage) {
    return update.message.peerId ? peerId(update.message.peerId) : undefined;
  }
  const isNumbered =
    update instanceof Api.UpdateDeleteChannelMessages ||
    update instanceof Api.UpdatePinnedChannelMessages ||
    update instanceof Api.UpdateChannelWebPage;
  return isNumbered ? `-100${update.channelId.toString()}` : undefined;
}

/** That all up to a message was read, as a push would say it. */
export function channelRead({ id, ...box }: ChannelBox, field: 'readInbox' | 'readOutbox'): Api.TypeUpdate {
  const channel = { channelId: inputChannel({ kind: 'channel', id }).channelId, maxId: box[field] };
  if (field === 'readOutbox') return new Api.UpdateReadChannelOutbox(channel);
  return new Api.UpdateReadChannelInbox({ ...channel, stillUnreadCount: 0, pts: box.pts });
}

/** What was read while the account was away, as pushes would say it. Notes up to where a channel was read now. */
export function missedReads(box: ChannelBox, now: ChannelBox): Api.TypeUpdate[] {
  const reads: Api.TypeUpdate[] = [];
  for (const field of ['readInbox', 'readOutbox'] as const) {
    if (box[field] > 0 && now[field] > box[field]) reads.push(channelRead(now, field));
    box[field] = Math.max(box[field], now[field]);
  }
  return reads;
}

/** Notes up to where a channel was read now. */
export function noteRead(boxes: ReadonlyMap<string, ChannelBox> | undefined, update: Api.TypeUpdate): void {
  if (!(update instanceof Api.UpdateReadChannelInbox || update instanceof Api.UpdateReadChannelOutbox)) return;
  const box = boxes?.get(`-100${update.channelId.toString()}`);
  if (box === undefined) return;
  const field = update instanceof Api.UpdateReadChannelInbox ? 'readInbox' : 'readOutbox';
  box[field] = Math.max(box[field], update.maxId);
}
