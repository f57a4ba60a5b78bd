import type { World } from '../world.ts';

/** Telegram does not say how long they live; clients see them expire after hours. */
const lifeSeconds = 3600;
const generation = 'fileReferenceGeneration';

/**
 * ```
 * 00     | 0000000e   | 6938c1f0       | 16 bytes
 * version  generation   issued (unix)    HMAC of file, generation and time
 * ```
 */
export function makeFileReference(world: World, fileId: number): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(currentGeneration(world), 1);
  head.writeUInt32BE(world.now(), 5);
  return Buffer.concat([head, seal(world, fileId, head)]);
}

export function checkFileReference(world: World, fileId: number, reference: Buffer): 'valid' | 'expired' | 'invalid' {
  if (reference.length !== 25) return 'invalid';
  const head = reference.subarray(0, 9);
  if (!seal(world, fileId, head).equals(reference.subarray(9))) return 'invalid';
  const old = world.now() - head.readUInt32BE(5) > lifeSeconds;
  return old || head.readUInt32BE(1) !== currentGeneration(world) ? 'expired' : 'valid';
}

/** Every reference handed out so far expires now. */
export function expireFileReferences(world: World): void {
  world.meta.put({ name: generation, value: currentGeneration(world) + 1 });
}

function currentGeneration(world: World): number {
  return world.meta.get(generation)?.value ?? 0;
}

function seal(world: World, fileId: number, head: Buffer): Buffer {
  return world.derive('file reference', fileId, head.toString('hex')).subarray(0, 16);
}
