import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { fileMovedTo, followFile } from '../../../../../src/telegram/gramjs/files/follow-file.ts';
import { maxUploadBytes, partBytes, UploadPart } from '../../../../../src/telegram/gramjs/files/upload-part.ts';
import { TelegramError } from '../../../../../src/telegram/port/errors.ts';

const error = (name: string): TelegramError => new TelegramError(303, name, 'upload.GetFile');

describe('a file that is elsewhere', () => {
  it('[ME5.1] is asked for where Telegram says that it is', async () => {
    expect(fileMovedTo(error('FILE_MIGRATE_4'))).toBe(4);
    expect(fileMovedTo(error('FILE_MIGRATE_12'))).toBe(12);
    for (const other of [error('FILE_MIGRATE_4X'), error('X_FILE_MIGRATE_4'), new Error('FILE_MIGRATE_4'), undefined]) {
      expect(fileMovedTo(other)).toBeUndefined();
    }
  });

  it('[ME5.1] is followed three times, and no further', async () => {
    const asked: number[] = [];
    const moving = (hops: number) => async (dc: number) => {
      asked.push(dc);
      if (asked.length <= hops) throw error(`FILE_MIGRATE_${dc + 1}`);
      return dc;
    };
    expect(await followFile(1, moving(3))).toBe(4);
    expect(asked).toEqual([1, 2, 3, 4]);
    asked.length = 0;
    await expect(followFile(1, moving(4))).rejects.toThrow('FILE_MIGRATE_5');
    expect(asked).toEqual([1, 2, 3, 4]);
    asked.length = 0;
    const broken = followFile(1, () => Promise.reject(error('FILE_ID_INVALID')));
    await expect(broken).rejects.toThrow('FILE_ID_INVALID');
  });
});

describe('a part of an upload', () => {
  it('[MS2.2] is one of 4,000, or of 8,000 for a premium account', () => {
    expect([maxUploadBytes(false), maxUploadBytes(true)]).toEqual([2_097_152_000, 4_194_304_000]);
  });

  it.each<[string, object, number]>([
    ['a small file', { id: -7n }, partBytes],
    ['a big file', { id: 2n ** 62n, totalParts: 40 }, partBytes],
    ['the last of a small file', { id: 7n }, 999],
    ['the last of a big file', { id: 7n, totalParts: 40 }, 1],
  ])('[MS2.1] has the bytes that the library would write: %s', (_name, file, length) => {
    const { id, totalParts } = file as { id: bigint; totalParts?: number };
    const part = new UploadPart();
    for (let at = 0; at < part.room.length; at += 1) part.room[at] = at % 251;
    expect(part.room).toHaveLength(partBytes);
    const request = part.request({ id, ...(totalParts !== undefined && { totalParts }) }, 39, length);
    const fields = { fileId: bigInt(id), filePart: 39, bytes: Buffer.from(part.room.subarray(0, length)) };
    const ordinary =
      totalParts === undefined
        ? new Api.upload.SaveFilePart(fields)
        : new Api.upload.SaveBigFilePart({ ...fields, fileTotalParts: totalParts });
    expect(request.className).toBe(ordinary.className);
    expect(Buffer.compare(request.getBytes(), ordinary.getBytes())).toBe(0);
  });
});
