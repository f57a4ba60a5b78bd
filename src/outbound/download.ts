import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { detachBuffer } from '../memory/detach-buffer.ts';
import { asOutboundError, OutboundError } from './outbound-error.ts';
import { parseRequestUrl } from './request-url.ts';
import { StagedTimeout } from './staged-timeout.ts';

/** The header and each hop before it; connecting included. */
const firstByteTimeoutMs = 30_000;
/** Between two pieces of the body. */
const idleTimeoutMs = 30_000;
/** The send that needs the file is cut off at 240 s (MS6), and has to upload it yet. */
const wholeTimeoutMs = 200_000;
/** Pieces arrive in 64 KB or less: those that are there are written with one call, up to so much. */
const writeBytes = 256 * 1024;
/** SR1. */
const maxRedirects = 3;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface DownloadOptions {
  /** Larger files are refused, by their header where it says so. */
  maxBytes: number;
  signal?: LightAbortSignal;
  /**
   * Told how many of how many bytes can be read already: of none first, then as they come. Not called where the server
   * does not say how many there are. That it is all does not mean yet that it is right.
   */
  onGrowth?: (bytes: number, announced: number) => void;
}

export interface DownloadedFile {
  path: string;
  /** Bytes. */
  size: number;
}

/**
 * Gets a URL into a file, a few pieces at a time, which are written before more is read.
 * @param target where nothing is yet; what is there after a failure is the caller's to remove.
 * @throws {OutboundError} what is wrong with the URL or its server. @throws the signal's reason.
 */
export async function download(
  { agent, clock }: { agent: Dispatcher; clock: Clock },
  url: string,
  target: string,
  { maxBytes, signal, onGrowth }: DownloadOptions,
): Promise<DownloadedFile> {
  const patience = new StagedTimeout(clock, wholeTimeoutMs, signal);
  try {
    const { headers, body } = await follow(agent, url, patience);
    try {
      const claimed = claimedSize(headers, maxBytes);
      const file = await open(target, 'wx', 0o600);
      try {
        const onWritten = (bytes: number): void => {
          if (claimed !== undefined && claimed > 0) onGrowth?.(bytes, claimed);
        };
        const size = await write(body, file, maxBytes, patience, onWritten);
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
    patience.end();
  }
}

/** The answer at the end of the redirects. Each hop goes through the connector, and so through its guard. */
async function follow(agent: Dispatcher, url: string, patience: StagedTimeout): Promise<Dispatcher.ResponseData> {
  let target = parseRequestUrl(url);
  for (let hops = 0; ; hops++) {
    const { origin, path, authorization } = target;
    patience.next(firstByteTimeoutMs, 'it did not answer in time');
    const answer = await agent.request({
      origin,
      path,
      method: 'GET',
      headers: {
        'user-agent': 'telegram-session-gateway',
        accept: '*/*',
        // What arrives is what is stored: a small body that unpacks to a huge one is no concern then.
        'accept-encoding': 'identity',
        ...(authorization === undefined ? {} : { authorization }),
      },
      signal: patience.signal,
      highWaterMark: writeBytes,
    });
    answer.body.on('error', () => {});
    const { statusCode, headers } = answer;
    if (statusCode === 200) return answer;
    answer.body.destroy();
    if (!redirects.has(statusCode)) throw new OutboundError(`it answered with status ${statusCode}`);
    if (hops === maxRedirects) throw new OutboundError('it redirects too often');
    if (typeof headers.location !== 'string') throw new OutboundError('it redirects to nowhere');
    const next = parseRequestUrl(headers.location, target.href);
    // A login is for the server that it was given for.
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
  patience: StagedTimeout,
  onWritten: (bytes: number) => void,
): Promise<number> {
  let size = 0;
  onWritten(size);
  patience.next(idleTimeoutMs, 'it stopped sending');
  let pieces: Buffer[] = [];
  let written = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
    if (size - written >= writeBytes || body.readableLength === 0) {
      await writeWhole(file, pieces, size - written);
      patience.signal.throwIfAborted();
      // Those that are all that was read at a time: no other piece lies in the same memory.
      for (const done of pieces) detachBuffer(done);
      [pieces, written] = [[], size];
      onWritten(written);
    }
    patience.next(idleTimeoutMs, 'it stopped sending');
  }
  // At the end as well: it may have looked as if there were more.
  if (pieces.length > 0) await writeWhole(file, pieces, size - written);
  return size;
}

async function writeWhole(file: FileHandle, pieces: readonly Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  if (bytesWritten < bytes) throw new Error('there is no room for the whole file');
}

const tooLarge = (maxBytes: number): OutboundError => new OutboundError(`it is larger than ${maxBytes} bytes`);
