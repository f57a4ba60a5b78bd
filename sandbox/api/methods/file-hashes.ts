import { createHash } from 'node:crypto';
import { RpcError, type TlObject } from '../../rpc.ts';
import { contentSize, readContent } from '../../world/files/file-content.ts';
import type { Method } from '../method.ts';
import { locate } from './upload.ts';

/** Telegram hashes files in pieces of 128 KB: https://core.telegram.org/api/files#verifying-downloaded-chunks */
const pieceBytes = 131_072;
/** Of one answer. */
const maxPieces = 64;

/** The SHA-256 of the pieces from an offset on. @throws {RpcError} 400 LOCATION_INVALID, … */
const getFileHashes: Method = (params, caller) => {
  const { file, type, content } = locate(caller, params['location'] as TlObject);
  if (file.dc !== caller.call.dc) throw new RpcError(303, `FILE_MIGRATE_${file.dc}`);
  const size = contentSize(content);
  const first = Math.floor(Number(params['offset']) / pieceBytes) * pieceBytes;
  const hashes: TlObject[] = [];
  for (let offset = first; offset < size && hashes.length < maxPieces; offset += pieceBytes) {
    const limit = Math.min(pieceBytes, size - offset);
    const bytes = readContent(caller.world, file, type, content, offset, limit);
    const hash = createHash('sha256').update(bytes).digest();
    hashes.push({ _: 'fileHash', offset: BigInt(offset), limit, hash });
  }
  return hashes;
};

export const fileHashMethods: Record<string, Method> = { 'upload.getFileHashes': getFileHashes };
