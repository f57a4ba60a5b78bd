import type { World } from '../world.ts';

/** Telegram does not publish this; clients see references expire after hours. */
const lifetimeSeconds = 3600;
const generationCounter = 'fileReferenceGeneration';

/**
 * A file reference:
 * ```
 * 00     | 0000000e   | 6938c1f0       | 16 bytes
 * version  generation   issued (unix)    HMAC of file, generation and time
 * ```
 */
export function makeFileReference(world: World, fileId: number): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(currentGeneration(world), 1);
  head.writeUInt32BE(world.now(), 5);
  return Buffer.concat([head, hmacOf(world, fileId, head)]);
}

/** `invalid`: not a reference of this file; `expired`: too old, or expired by a fault. */
export function checkFileReference(world: World, fileId: number, reference: Buffer): 'valid' | 'expired' | 'invalid' {
  if (reference.length !== 25) return 'invalid';
  const head = reference.subarray(0, 9);
  if (!hmacOf(world, fileId, head).equals(reference.subarray(9))) return 'invalid';
  const isOld = world.now() - head.readUInt32BE(5) > lifetimeSeconds;
  return isOld || head.readUInt32BE(1) !== currentGeneration(world) ? 'expired' : 'valid';
}

/** Expires all references that were issued so far. */
export function expireFileReferences(world: World): void {
  world.tables.meta.put({ name: generationCounter, value: currentGeneration(world) + 1 });
}

function currentGeneration(world: World): number {
  return world.tables.meta.get(generationCounter)?.value ?? 0;
}

function hmacOf(world: World, fileId: number, head: Buffer): Buffer {
  return world.derive('file reference', fileId, head.toString('hex')).subarray(0, 16);
}
