import type { MediaPreparations } from '../media/outgoing/prepare.ts';
import type { OutgoingMedia } from '../telegram/port/outgoing.ts';
import type { CountUsage } from './usage-recorder.ts';

const bytesOf = (media: OutgoingMedia): number =>
  'file' in media ? media.file.size + ('thumbnail' in media ? (media.thumbnail?.size ?? 0) : 0) : 0;

/** Records the bytes of files that are sent, once Telegram has them. */
export function countMedia(media: MediaPreparations, usage: CountUsage): MediaPreparations {
  return {
    of(turn) {
      const preparation = media.of(turn);
      const counted =
        <M, T>(bytesIn: (lent: M) => number, use: (lent: M) => Promise<T>) =>
        async (lent: M): Promise<T> => {
          const result = await use(lent);
          usage.count(turn.sessionId, undefined, 'mediaBytes', bytesIn(lent));
          return result;
        };
      return {
        withPrepared: (request, signal, use, maxBytes) =>
          preparation.withPrepared(request, signal, counted(bytesOf, use), maxBytes),
        withAlbum: (requests, signal, use, maxBytes) => {
          const bytesIn = (album: readonly OutgoingMedia[]): number =>
            album.reduce((sum, one) => sum + bytesOf(one), 0);
          return preparation.withAlbum(requests, signal, counted(bytesIn, use), maxBytes);
        },
      };
    },
  };
}
