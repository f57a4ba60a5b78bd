import { isOut } from '../api/objects/tl-message.ts';
import { reactionsTo } from '../world/reactions/give-reaction.ts';
import { redactedJson } from '../world/redact.ts';
import type { ForwardOrigin, MessageRow } from '../world/state/message-rows.ts';
import { markedPeerId, peerKey } from '../world/state/peer.ts';
import type { World } from '../world/world.ts';
import { describeMedia } from './describe-media.ts';
import { displayName } from './display-name.ts';

/** A message as JSON. With `hashes` its files have their SHA-256, for which they have to be read. */
export function describeMessage(world: World, viewer: number, row: MessageRow, hashes = true) {
  const from = row.from === undefined ? undefined : world.tables.users.get(row.from);
  return {
    id: row.id,
    peer: markedPeerId(row.peer),
    from: from && !row.post ? { userId: String(from.id), name: displayName(from) } : null,
    out: isOut(row, viewer),
    date: new Date(row.date * 1000).toISOString(),
    text: row.text,
    entities: (row.entities ?? []).map((entity) => redactedJson(entity)),
    media: row.media ? { ...describeMedia(world, row.media, hashes), caption: row.text } : null,
    service: row.action ? row.action._ : null,
    replyTo: row.replyTo ?? null,
    silent: row.silent ?? false,
    album: row.groupedId ?? null,
    pinned: row.pinned ?? false,
    forwarded: row.forwarded ? nameOfOrigin(world, row.forwarded) : null,
    reactions: describeReactions(world, viewer, row),
    edited: row.editDate === undefined ? null : new Date(row.editDate * 1000).toISOString(),
  };
}

/** Each reaction with the number of those who gave it, and whether the viewer did. */
function describeReactions(world: World, viewer: number, row: MessageRow) {
  const given = reactionsTo(world, row);
  const all = [...new Set(given.flatMap(({ keys }) => keys))];
  return all.map((reaction) => {
    const by = given.filter(({ keys }) => keys.includes(reaction));
    return { reaction, count: by.length, own: by.some(({ user }) => user === viewer) };
  });
}

function nameOfOrigin(world: World, { from, fromName }: ForwardOrigin): string {
  if (!from) return fromName ?? '';
  const user = from.kind === 'user' ? world.tables.users.get(from.id) : undefined;
  return user ? displayName(user) : (world.tables.chats.get(peerKey(from))?.title ?? '');
}
