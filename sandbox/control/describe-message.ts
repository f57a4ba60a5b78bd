import { isOut } from '../api/objects/tl-message.ts';
import { redactedJson } from '../world/redact.ts';
import { markedPeerId } from '../world/state/peer.ts';
import type { MessageRow } from '../world/state/rows.ts';
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
    edited: row.editDate === undefined ? null : new Date(row.editDate * 1000).toISOString(),
  };
}
