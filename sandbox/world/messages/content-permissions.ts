import { RpcError } from '../../rpc.ts';
import { isBannedFrom } from '../chats/rights.ts';
import type { MediaRow } from '../state/file-rows.ts';
import { type PeerRef, peerKey } from '../state/peer.ts';
import type { World } from '../world.ts';

/** The right in a group that each kind of message needs, and Telegram's error for those who do not have it. */
const errors = {
  send_plain: 'CHAT_SEND_PLAIN_FORBIDDEN',
  send_photos: 'CHAT_SEND_PHOTOS_FORBIDDEN',
  send_videos: 'CHAT_SEND_VIDEOS_FORBIDDEN',
  send_roundvideos: 'CHAT_SEND_ROUNDVIDEOS_FORBIDDEN',
  send_audios: 'CHAT_SEND_AUDIOS_FORBIDDEN',
  send_voices: 'CHAT_SEND_VOICES_FORBIDDEN',
  send_docs: 'CHAT_SEND_DOCS_FORBIDDEN',
  send_stickers: 'CHAT_SEND_STICKERS_FORBIDDEN',
  send_gifs: 'CHAT_SEND_GIFS_FORBIDDEN',
  send_polls: 'CHAT_SEND_POLLS_FORBIDDEN',
} as const;
type ContentRight = keyof typeof errors;

/**
 * Groups may forbid kinds of messages, to all members or to one.
 * @throws {RpcError} 403 CHAT_SEND_…_FORBIDDEN
 */
export function requireContentPermission(world: World, from: number, peer: PeerRef, media: MediaRow | undefined): void {
  const chat = peer.kind === 'user' ? undefined : world.tables.chats.get(peerKey(peer));
  if (!chat) return;
  const right = media ? rightForMedia(world, media) : 'send_plain';
  if (right && isBannedFrom(world, chat, from, right)) throw new RpcError(403, errors[right]);
  const isAnyMedia = media !== undefined && right !== undefined;
  if (isAnyMedia && isBannedFrom(world, chat, from, 'send_media')) throw new RpcError(403, 'CHAT_SEND_MEDIA_FORBIDDEN');
}

/** Undefined for what is sent as text is: places, contacts. */
function rightForMedia(world: World, media: MediaRow): ContentRight | undefined {
  if (media.kind === 'photo') return 'send_photos';
  if (media.kind === 'poll') return 'send_polls';
  if (media.kind === 'other') return undefined;
  if (media.voice) return 'send_voices';
  if (media.round) return 'send_roundvideos';
  const names = new Set((world.tables.files.get(media.file)?.attributes ?? []).map(({ _: name }) => name));
  if (names.has('documentAttributeSticker')) return 'send_stickers';
  if (names.has('documentAttributeAnimated')) return 'send_gifs';
  if (names.has('documentAttributeAudio')) return 'send_audios';
  return media.video ? 'send_videos' : 'send_docs';
}
