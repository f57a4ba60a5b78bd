import { RpcError, type TlObject } from '../../rpc.ts';
import { isAdmin } from '../chats/members.ts';
import type { MediaRow } from '../state/file-rows.ts';
import type { MessageRow, UpdateRow } from '../state/message-rows.ts';
import { boxOf, type PeerRef, peerKey, samePeer } from '../state/peer.ts';
import { encodeRow } from '../state/row-json.ts';
import type { World } from '../world.ts';
import { requireGroupable } from './albums.ts';
import { recordUpdate } from './message-boxes.ts';
import type { RichText } from './rich-text.ts';

/** Telegram allows editing for two days. */
const editWindowSeconds = 172_800;

/** What an edit changes; the rest stays. */
export interface MessageEdit {
  rich?: RichText | undefined;
  media?: MediaRow | undefined;
  /** A bot's keyboard: the TL `ReplyMarkup`. */
  markup?: TlObject | undefined;
}

/** @throws {RpcError} MESSAGE_ID_INVALID, MESSAGE_AUTHOR_REQUIRED, MESSAGE_EDIT_TIME_EXPIRED */
export function requireEditable(world: World, editor: number, peer: PeerRef, id: number): MessageRow {
  const message = world.tables.message(boxOf(editor, peer), id);
  if (!message || message.action || !samePeer(message.peer, peer)) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  requireEditPermission(world, editor, message);
  return message;
}

/**
 * Changes a message in all its copies.
 * @throws {RpcError} as {@link requireEditable}; MESSAGE_NOT_MODIFIED, MEDIA_PREV_INVALID, MESSAGE_EMPTY
 */
export function editMessage(
  world: World,
  editor: number,
  peer: PeerRef,
  id: number,
  { rich, media, markup }: MessageEdit,
): UpdateRow[] {
  const message = requireEditable(world, editor, peer, id);
  const isNewText =
    rich && (message.text !== rich.text || encodeRow(message.entities ?? []) !== encodeRow(rich.entities));
  const isNewMarkup = markup && encodeRow(markup) !== encodeRow(message.markup);
  if (!isNewText && !media && !isNewMarkup) throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  if (rich?.text === '' && !media && !message.media) throw new RpcError(400, 'MESSAGE_EMPTY');
  if (media) requireReplaceable(world, message, media);
  return [...world.tables.copiesOf(message.twin)].flatMap(([box, copyId]) => {
    const copy = world.tables.message(box, copyId);
    if (!copy) return [];
    if (rich) copy.text = rich.text;
    if (rich && rich.entities.length > 0) copy.entities = rich.entities;
    else if (rich) delete copy.entities;
    if (media) copy.media = media;
    if (markup) copy.markup = markup;
    copy.editDate = world.now();
    world.tables.messages.put(copy);
    return [recordUpdate(world, { box, kind: 'edit', ids: [copyId], count: 1, peer: copy.peer })];
  });
}

/** Files take the place of files, or are added to a text. In an album the kind stays. */
function requireReplaceable(world: World, message: MessageRow, media: MediaRow): void {
  const isFile = ({ kind }: MediaRow): boolean => kind === 'photo' || kind === 'document';
  if (!isFile(media) || (message.media && !isFile(message.media))) throw new RpcError(400, 'MEDIA_PREV_INVALID');
  if (message.groupedId && message.media) requireGroupable(world, [message.media, media]);
}

function requireEditPermission(world: World, editor: number, message: MessageRow): void {
  const chat = message.peer.kind === 'channel' ? world.tables.chats.get(peerKey(message.peer)) : undefined;
  const isPostOfAdmin = chat !== undefined && message.post === true && isAdmin(chat, editor);
  if (message.from !== editor && !isPostOfAdmin) throw new RpcError(403, 'MESSAGE_AUTHOR_REQUIRED');
  if (!isPostOfAdmin && world.now() - message.date > editWindowSeconds) {
    throw new RpcError(400, 'MESSAGE_EDIT_TIME_EXPIRED');
  }
}
