import { type FileHandle, open } from 'node:fs/promises';
import { Api } from 'telegram/tl/index.js';
import type { Randomness } from '../../../actors/clock.ts';
import { Stop, type StopSignal } from '../../stop-signal.ts';
import type { OutgoingFile } from '../port/outgoing.ts';
import type { FileConnections } from './file-connections.ts';
import { long } from './text-entities.ts';

/** The largest there is; every part but the last has it (https://core.telegram.org/api/files#uploading-files). */
const partBytes = 512 * 1024;
/** Beyond it a file is a big one, whose parts are sent by another method (same page). */
const largestSmallBytes = 10 * 1024 * 1024;
/** Parts on their way at a time, and in memory: as many as there are places on the connections. */
const partsAtOnce = 6;

/** Sends a file to Telegram, and returns how a message refers to it. */
export type Upload = (file: OutgoingFile, signal: StopSignal) => Promise<Api.TypeInputFile>;

/**
 * Uploads in parts, several at a time, and holds no more than these in memory. When it ends, however it does, the file
 * is closed and nothing more is sent.
 */
export function createUpload(files: FileConnections, homeDc: number, random: Randomness): Upload {
  return async ({ path, name }, signal) => {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const parts = Math.ceil(size / partBytes);
      const id = long(random.bytes(8).readBigInt64LE());
      const isBig = size > largestSmallBytes;
      await forEachPart(file, parts, signal, (filePart, bytes, stop) => {
        const part = { fileId: id, filePart, bytes };
        const request = isBig
          ? new Api.upload.SaveBigFilePart({ ...part, fileTotalParts: parts })
          : new Api.upload.SaveFilePart(part);
        return files.call(homeDc, request, stop);
      });
      return isBig
        ? new Api.InputFileBig({ id, parts, name })
        : new Api.InputFile({ id, parts, name, md5Checksum: '' });
    } finally {
      await file.close();
    }
  };
}

/** The first failure stops all; only when nobody reads any more it is passed on. */
async function forEachPart(
  file: FileHandle,
  parts: number,
  signal: StopSignal,
  send: (part: number, bytes: Buffer, stop: StopSignal) => Promise<unknown>,
): Promise<void> {
  const stop = new Stop();
  const onAbort = (): void => stop.abort(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let next = 0;
  const sendSome = async (): Promise<void> => {
    // One place in memory for one part after the other.
    const place = Buffer.allocUnsafeSlow(partBytes);
    while (next < parts && !stop.aborted) {
      const part = next++;
      await send(part, await read(file, part * partBytes, place), stop);
    }
  };
  const workers = Array.from({ length: Math.min(partsAtOnce, parts) }, () =>
    sendSome().catch((error: unknown) => stop.abort(error instanceof Error ? error : new Error(String(error)))),
  );
  await Promise.all(workers);
  signal.removeEventListener('abort', onAbort);
  stop.throwIfAborted();
}

async function read(file: FileHandle, position: number, place: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < place.length) {
    const { bytesRead } = await file.read(place, filled, place.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return place.subarray(0, filled);
}

const reasonOf = ({ reason }: StopSignal): Error => (reason instanceof Error ? reason : new Error('aborted'));
