import { RpcError } from '../../rpc.ts';
import type { MediaRow } from '../state/file-rows.ts';
import type { World } from '../world.ts';

/** Telegram's IDs of albums have 17 digits. */
const firstGroupedId = 14_000_000_000_000_000n;

/** A new ID for the messages of an album; decimal. */
export function nextGroupedId(world: World): string {
  const value = (world.tables.meta.get('lastAlbum')?.value ?? 0) + 1;
  world.tables.meta.put({ name: 'lastAlbum', value });
  return String(firstGroupedId + BigInt(value));
}

/**
 * Photos and videos may share an album; files and music are albums of their own.
 * @throws {RpcError} 400 MEDIA_INVALID for what no album may hold, 400 MEDIA_GROUPED_INVALID for a mixture
 */
export function requireGroupable(world: World, media: readonly MediaRow[]): void {
  const kinds = new Set(media.map((each) => albumKind(world, each)));
  if (kinds.has(undefined)) throw new RpcError(400, 'MEDIA_INVALID');
  if (kinds.size > 1) throw new RpcError(400, 'MEDIA_GROUPED_INVALID');
}

function albumKind(world: World, media: MediaRow): 'visual' | 'music' | 'files' | undefined {
  if (media.kind === 'photo') return 'visual';
  if (media.kind !== 'document' || media.round || media.voice) return undefined;
  const names = new Set(world.tables.files.get(media.file)?.attributes?.map(({ _: name }) => name));
  if (names.has('documentAttributeSticker') || names.has('documentAttributeAnimated')) return undefined;
  if (media.video) return 'visual';
  return names.has('documentAttributeAudio') ? 'music' : 'files';
}
