import type { LoggedStream } from './event-log.ts';

/** What `$$stream` says about a stream, as far as it decides what a reader sees. */
export interface StreamMetadata {
  /** Revisions before this one are hidden. */
  truncateBefore?: number;
  maxCount?: number;
  maxAgeSeconds?: number;
  /** All of it, to be written again with a change. */
  written?: Record<string, unknown>;
}

/** `EventNumber.DeletedStream` of the server: the `$tb` of a stream that has been deleted softly. */
export const deletedStream = 2n ** 63n - 1n;

export function parseStreamMetadata(data: Uint8Array): StreamMetadata {
  try {
    const written = JSON.parse(Buffer.from(data).toString()) as Record<string, unknown>;
    const number = (name: string): number | undefined => (name in written ? Number(written[name]) : undefined);
    return {
      truncateBefore: number('$tb'),
      maxCount: number('$maxCount'),
      maxAgeSeconds: number('$maxAge'),
      written,
    };
  } catch {
    return {};
  }
}

export const isDeleted = ({ truncateBefore }: StreamMetadata): boolean => truncateBefore === Number(deletedStream);

/** The first revision that a reader sees. */
export function visibleFrom(metadata: StreamMetadata, { events, last }: LoggedStream, now: number): number {
  let from = metadata.truncateBefore ?? 0;
  if (metadata.maxCount !== undefined) from = Math.max(from, last + 1 - metadata.maxCount);
  if (metadata.maxAgeSeconds !== undefined) {
    const oldest = now - metadata.maxAgeSeconds * 1000;
    const young = events.findIndex((event) => event !== undefined && event.created >= oldest);
    from = Math.max(from, young < 0 ? last + 1 : young);
  }
  return from;
}
