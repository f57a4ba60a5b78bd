import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { StagedTimeout } from '../../actors/kit/staged-timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { detachBuffer } from '../memory/detach-buffer.ts';
import { maxInterimHeads, userAgent } from './client-options.ts';
import { asOutboundError, improperHttp, OutboundError } from './outbound-error.ts';
import { parseRequestUrl } from './request-url.ts';

/** Until the head of a response, connecting included; per redirect (SR1). */
const firstByteTimeoutMs = 30_000;
/** Between two pieces of the body (SR1). */
const idleTimeoutMs = 30_000;
/** Pieces of the body have 64 KB or less. Up to this many bytes of those that have arrived are written with one call. */
const writeBytes = 256 * 1024;
/** SR1. */
const maxRedirects = 3;
const noResponse = (): Error => new OutboundError('it did not answer in time');
const stoppedSending = (): Error => new OutboundError('it stopped sending');
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface DownloadOptions {
  /** Whose send it is for. */
  sessionId: string;
  /** Larger files are refused: by the header if it gives the length, else as they come. */
  maxBytes: number;
  signal?: LightAbortSignal;
  /**
   * Called with the number of bytes that can be read from the file so far, and the length that the server announced:
   * first with 0 bytes, then as they are written. Not called if the server announced no length. The file may still turn
   * out to be bad after its last byte.
   */
  onGrowth?: (bytes: number, announced: number) => void;
  /** Asked for room on the disk; where it rejects, the download ends with that error. */
  room?: FileRoom;
}

/** See `src/media/outgoing/temporary-space.ts`. Bytes of the whole file. */
interface FileRoom {
  announce(bytes: number): Promise<void>;
  write(bytes: number): Promise<void>;
}

export interface DownloadedFile {
  path: string;
  /** Bytes. */
  size: number;
}

/**
 * Downloads a URL into a file, as long as it comes: the signal is the limit of the whole. A few pieces are read at a time, and written before more is read.
 * @param target a path where no file is; after a failure the caller removes what is there
 * @throws {OutboundError} what is wrong with the URL or its server @throws the signal's reason
 */
export async function download(
  { agent, clock }: { agent: Dispatcher; clock: Clock },
  url: string,
  target: string,
  { maxBytes, signal, onGrowth, room }: Omit<DownloadOptions, 'sessionId'>,
): Promise<DownloadedFile> {
  const timeout = new StagedTimeout(clock, signal);
  try {
    const { headers, body } = await follow(agent, url, timeout);
    try {
      const claimed = claimedSize(headers, maxBytes);
      if (claimed !== undefined) await room?.announce(claimed);
      const file = await open(target, 'wx', 0o600);
      try {
        const onWritten = (bytes: number): void => {
          if (claimed !== undefined && claimed > 0) onGrowth?.(bytes, claimed);
        };
        const size = await write(body, file, maxBytes, timeout, onWritten, room);
        if (claimed !== undefined && size !== claimed) throw new OutboundError('it is shorter than it claims to be');
        if (size === 0) throw new OutboundError('it is empty');
        return { path: target, size };
      } finally {
        await file.close();
      }
    } finally {
      body.destroy();
    }
  } catch (error) {
    throw asOutboundError(error);
  } finally {
    timeout.end();
  }
}

/** Follows redirects to the last response. Each one goes through the connector, and so through its guard. */
async function follow(agent: Dispatcher, url: string, timeout: StagedTimeout): Promise<Dispatcher.ResponseData> {
  let target = parseRequestUrl(url);
  for (let hops = 0; ; hops++) {
    const { origin, path, authorization } = target;
    timeout.next(firstByteTimeoutMs, noResponse);
    let interimHeads = 0;
    const response = await agent.request({
      origin,
      path,
      method: 'GET',
      headers: {
        'user-agent': userAgent,
        accept: '*/*',
        // Bodies are stored as they arrive, so a small body cannot unpack to a huge one.
        'accept-encoding': 'identity',
        ...(authorization === undefined ? {} : { authorization }),
      },
      signal: timeout.signal,
      onInfo: () => {
        interimHeads += 1;
        if (interimHeads > maxInterimHeads) throw improperHttp();
      },
      highWaterMark: writeBytes,
    });
    response.body.on('error', () => {});
    const { statusCode, headers } = response;
    if (statusCode === 200) return response;
    response.body.destroy();
    if (!redirects.has(statusCode)) throw new OutboundError(`it answered with status ${statusCode}`);
    if (hops === maxRedirects) throw new OutboundError('it redirects too often');
    if (typeof headers.location !== 'string') throw new OutboundError('it redirects to nowhere');
    const next = parseRequestUrl(headers.location, target.href);
    // Credentials are sent to the server of the given URL only.
    target = next.origin === origin ? { ...next, authorization: next.authorization ?? authorization } : next;
  }
}

function claimedSize(headers: Dispatcher.ResponseData['headers'], maxBytes: number): number | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new OutboundError('it is compressed for transport, which was not asked for');
  const length = headers['content-length'];
  if (length === undefined) return undefined;
  const claimed = Number(length);
  if (claimed > maxBytes) throw tooLarge(maxBytes);
  return claimed;
}

async function write(
  body: Pick<Readable, 'readableLength'> & AsyncIterable<Buffer>,
  file: FileHandle,
  maxBytes: number,
  timeout: StagedTimeout,
  onWritten: (bytes: number) => void,
  room: FileRoom | undefined,
): Promise<number> {
  let size = 0;
  onWritten(size);
  timeout.next(idleTimeoutMs, stoppedSending);
  let pieces: Buffer[] = [];
  let written = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
    if (size - written >= writeBytes || body.readableLength === 0) {
      await room?.write(size);
      await writeWhole(file, pieces, size - written);
      timeout.signal.throwIfAborted();
      // Each piece is all of one read: it shares its memory with no other piece.
      for (const done of pieces) detachBuffer(done);
      [pieces, written] = [[], size];
      onWritten(written);
    }
    timeout.next(idleTimeoutMs, stoppedSending);
  }
  // The stream may have ended when more seemed to be readable.
  if (pieces.length > 0) {
    await room?.write(size);
    await writeWhole(file, pieces, size - written);
  }
  return size;
}

async function writeWhole(file: FileHandle, pieces: readonly Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  if (bytesWritten < bytes) throw Object.assign(new Error('there is no room for the whole file'), { code: 'ENOSPC' });
}

const tooLarge = (maxBytes: number): OutboundError => new OutboundError(`it is larger than ${maxBytes} bytes`);
