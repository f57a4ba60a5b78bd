import { type FileHandle, open } from 'node:fs/promises';
import { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import type { OutgoingFile } from '../../port/outgoing.ts';
import { long } from '../peers/text-entities.ts';
import type { FileConnections } from './file-connections.ts';
import { partBytes, UploadPart } from './upload-part.ts';

/** A larger file is uploaded with other requests (https://core.telegram.org/api/files#uploading-files). */
const largestSmallBytes = 10 * 1024 * 1024;
/** Parts in flight, and in memory, at a time: as many as the connections accept. */
const partsAtOnce = 6;

/** Uploads a file to Telegram and returns the reference for a message. */
export type Upload = (file: OutgoingFile, signal: LightAbortSignal) => Promise<Api.TypeInputFile>;

/**
 * Uploads a file in parts, several at a time, and keeps only these in memory. Of a file that is still being downloaded
 * it uploads the parts that exist. When it ends, for any reason, the file is closed and nothing more is sent.
 */
export function createUpload(files: FileConnections, random: Randomness): Upload {
  return async ({ path, name, size, reach }, signal) => {
    const file = await open(path);
    try {
      const partCount = Math.ceil(size / partBytes);
      const id = random.bytes(8).readBigInt64LE();
      const isBig = size > largestSmallBytes;
      const uploaded = { id, ...(isBig && { totalParts: partCount }) };
      await forEachPart(partCount, signal, async (part, place, stop) => {
        await reach?.(Math.min((part + 1) * partBytes, size), stop);
        const length = await read(file, part * partBytes, place.room);
        await files.call('home', place.request(uploaded, part, length), stop);
      });
      return isBig
        ? new Api.InputFileBig({ id: long(id), parts: partCount, name })
        : new Api.InputFile({ id: long(id), parts: partCount, name, md5Checksum: '' });
    } finally {
      await file.close();
    }
  };
}

/** The first failure stops all workers. It is thrown only when none of them reads the file any more. */
async function forEachPart(
  partCount: number,
  signal: LightAbortSignal,
  send: (part: number, place: UploadPart, stop: LightAbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new LightAbort();
  const onAbort = (): void => stop.abort(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let next = 0;
  const sendSome = async (): Promise<void> => {
    const place = new UploadPart();
    while (next < partCount && !stop.aborted) await send(next++, place, stop);
  };
  const workers = Array.from({ length: Math.min(partsAtOnce, partCount) }, () =>
    sendSome().catch((error: unknown) => stop.abort(error instanceof Error ? error : new Error(String(error)))),
  );
  await Promise.all(workers);
  signal.removeEventListener('abort', onAbort);
  stop.throwIfAborted();
}

/** @returns how many bytes were read: fewer than a part only at the end of the file */
async function read(file: FileHandle, position: number, room: Buffer): Promise<number> {
  let filled = 0;
  while (filled < room.length) {
    const { bytesRead } = await file.read(room, filled, room.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

const reasonOf = ({ reason }: LightAbortSignal): Error => (reason instanceof Error ? reason : new Error('aborted'));
