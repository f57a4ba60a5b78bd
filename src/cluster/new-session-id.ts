import { partitionOf } from './partitions.ts';

/**
 * Draws the ID of a session that this process acts for from its first event on.
 * @param served the partitions that this process serves
 * @param wanted the only partition that it may be in
 * @returns undefined: this process serves none, or not that one
 */
export function newSessionId(
  served: readonly number[],
  draw: () => string,
  wanted: number | undefined,
): string | undefined {
  const possible = wanted === undefined ? served : served.filter((partition) => partition === wanted);
  if (possible.length === 0) return undefined;
  for (;;) {
    const id = draw();
    if (possible.includes(partitionOf(id))) return id;
  }
}
