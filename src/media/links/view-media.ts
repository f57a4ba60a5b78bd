import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { chunkOf, wantedBytes } from './byte-range.ts';
import { ChunkStream } from './chunk-stream.ts';
import { entityTag, isKnown, isSameAs } from './conditions.ts';
import { contentHeaders } from './content-headers.ts';
import type { MediaFile } from './media-files.ts';

/** The parts of a viewer's request that decide about the response. */
export interface MediaRequestToView {
  method: 'GET' | 'HEAD';
  range: string | undefined;
  ifRange: string | undefined;
  ifNoneMatch: string | undefined;
}

export interface MediaResponse {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  body: ChunkStream | undefined;
}

/**
 * The response to a viewer. Its first chunk is fetched already, so that an error until then can still be reported.
 * @throws as {@link MediaFile}
 */
export async function viewMedia(
  file: MediaFile,
  request: MediaRequestToView,
  signal: LightAbortSignal,
): Promise<MediaResponse> {
  const { size } = file.facts;
  const tag = entityTag(file.facts);
  const caching = { etag: tag, 'cache-control': 'public, max-age=86400' };
  if (isKnown(request.ifNoneMatch, tag)) return { status: 304, headers: caching, body: undefined };
  // A range applies to GET only (RFC 9110, 14.2).
  const mayBePart = request.method === 'GET' && isSameAs(request.ifRange, tag);
  const wanted = mayBePart ? wantedBytes(request.range, size) : 'whole';
  if (wanted === 'not satisfiable') {
    return { status: 416, headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` }, body: undefined };
  }
  const range = wanted === 'whole' ? { first: 0, last: size - 1 } : wanted;
  file.mustHave(range);
  return {
    status: wanted === 'whole' ? 200 : 206,
    headers: {
      ...contentHeaders(file.facts),
      ...caching,
      'accept-ranges': 'bytes',
      'content-length': range.last - range.first + 1,
      ...(wanted !== 'whole' && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
    },
    body: request.method === 'GET' && size > 0 ? await beginStream(file, range, signal) : undefined,
  };
}

async function beginStream(
  file: MediaFile,
  range: { first: number; last: number },
  signal: LightAbortSignal,
): Promise<ChunkStream> {
  const firstIndex = chunkOf(range.first);
  let first: Buffer | undefined = await file.chunk(firstIndex, signal);
  return new ChunkStream(range, async (index, until) => {
    if (index !== firstIndex || first === undefined) return file.chunk(index, until, true);
    const bytes = first;
    first = undefined;
    return bytes;
  });
}
