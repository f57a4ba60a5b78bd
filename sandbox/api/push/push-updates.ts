import type { TlObject } from '../../rpc.ts';
import type { MessageRow, UpdateRow } from '../../world/state/message-rows.ts';
import { peerKey, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlReply } from '../objects/tl-message.ts';
import { messagesOf, tlUpdate, tlUpdates } from '../objects/tl-update.ts';

/** Pushes each update to the devices of its box's user or members. `exceptSession` has the updates in its answer. */
export function pushUpdates(world: World, rows: readonly UpdateRow[], exceptSession?: bigint): void {
  if (!world.protocol) return;
  for (const row of rows) {
    const [kind, id] = row.box.split(':') as [string, string];
    if (kind === 'user') pushTo(world, Number(id), row, exceptSession);
    else for (const member of membersWithDevices(world, row.box)) pushTo(world, member, row, exceptSession);
  }
}

/** Members without a login are skipped early: a chat may have thousands. */
function membersWithDevices(world: World, chatKey: string): number[] {
  const members = world.tables.chats.get(chatKey)?.members ?? {};
  return Object.keys(members)
    .map(Number)
    .filter((id) => world.tables.activeLogins(id).length > 0);
}

function pushTo(world: World, viewer: number, row: UpdateRow, exceptSession: bigint | undefined): void {
  if (world.tables.activeLogins(viewer).length === 0) return;
  const short = tlShortMessage(world, viewer, row);
  if (short) return world.push(viewer, short, exceptSession);
  const update = tlUpdate(world, viewer, row);
  if (!update) return;
  const isChannel = row.box.startsWith('channel:');
  const mentioned = new MentionedPeers(world, viewer, isChannel).addMessages(messagesOf(world, row));
  if (row.peer) mentioned.add(row.peer);
  world.push(viewer, tlUpdates(world, [update], mentioned.lists()), exceptSession);
}

/** Telegram's short form of a text in a chat that already had messages; undefined if another form is needed. */
function tlShortMessage(world: World, viewer: number, row: UpdateRow): TlObject | undefined {
  if (row.kind !== 'new') return undefined;
  const message = world.tables.message(row.box, row.ids[0] as number);
  if (!message || message.media || message.action || message.peer.kind === 'channel') return undefined;
  if (message.forwarded || message.markup || message.fromScheduled || message.noForwards) return undefined;
  if (message.entities?.some(({ _: name }) => name === 'messageEntityMentionName')) return undefined;
  if (!hasEarlierMessages(world, viewer, message)) return undefined;
  const common = {
    out: message.out,
    silent: message.silent ?? false,
    id: message.id,
    message: message.text,
    pts: row.pts,
    pts_count: row.count,
    date: message.date,
    reply_to: tlReply(message),
    entities: message.entities?.length ? message.entities : undefined,
  };
  return message.peer.kind === 'user'
    ? { _: 'updateShortMessage', ...common, user_id: BigInt(message.peer.id) }
    : { _: 'updateShortChatMessage', ...common, from_id: BigInt(message.from ?? 0), chat_id: BigInt(message.peer.id) };
}

function hasEarlierMessages(world: World, viewer: number, message: MessageRow): boolean {
  return world.tables.history(peerKey(userPeer(viewer)), peerKey(message.peer)).length > 1;
}
