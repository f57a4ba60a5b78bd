import { RpcError, type TlObject } from '../rpc.ts';
import type { World } from './world.ts';

/** https://core.telegram.org/api/files: parts of up to 512 KB, a multiple of 1 KB, the last one aside. */
const maxPartBytes = 524_288;
const maxParts = 8_000;

/** Parts by number. They do not survive a restart: clients upload again. */
const uploadsOf = new WeakMap<World, Map<string, Map<number, Buffer>>>();

/** @throws {RpcError} 400 FILE_PART_INVALID, FILE_PART_EMPTY, FILE_PART_TOO_BIG, FILE_PARTS_INVALID */
export function savePart(
  world: World,
  userId: number,
  of: { file: bigint; part: number; total?: number; bytes: Buffer },
): void {
  const { part, total, bytes } = of;
  if (part < 0 || part >= maxParts) throw new RpcError(400, 'FILE_PART_INVALID');
  if (bytes.length === 0) throw new RpcError(400, 'FILE_PART_EMPTY');
  if (bytes.length > maxPartBytes) throw new RpcError(400, 'FILE_PART_TOO_BIG');
  if (total !== undefined && total !== -1 && (total < 1 || total > maxParts || part >= total)) {
    throw new RpcError(400, 'FILE_PARTS_INVALID');
  }
  const last = total === undefined || total === -1 || part === total - 1;
  if (!last && (bytes.length % 1024 !== 0 || maxPartBytes % bytes.length !== 0)) {
    throw new RpcError(400, 'FILE_PART_SIZE_INVALID');
  }
  const key = `${userId}/${of.file}`;
  const uploads = uploadsOf.get(world) ?? new Map<string, Map<number, Buffer>>();
  uploadsOf.set(world, uploads);
  const parts = uploads.get(key) ?? new Map<number, Buffer>();
  uploads.set(key, parts.set(part, Buffer.from(bytes)));
}

/** The whole of an uploaded file, which is forgotten. @throws {RpcError} 400 FILE_PARTS_INVALID, FILE_PART_N_MISSING */
export function takeUpload(world: World, userId: number, input: TlObject): Buffer {
  const parts = uploadsOf.get(world)?.get(`${userId}/${input['id']}`);
  const count = Number(input['parts'] ?? 0);
  if (!parts || count < 1) throw new RpcError(400, 'FILE_PARTS_INVALID');
  const list: Buffer[] = [];
  for (let part = 0; part < count; part += 1) {
    const bytes = parts.get(part);
    if (!bytes) throw new RpcError(400, `FILE_PART_${part}_MISSING`);
    list.push(bytes);
  }
  uploadsOf.get(world)?.delete(`${userId}/${input['id']}`);
  return Buffer.concat(list);
}
