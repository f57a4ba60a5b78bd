import type { ImportStatement } from './imports.ts';

/**
 * The circles in which files import each other, imports of types included: for each file that reaches itself, the
 * shortest way back, written as `a.ts -> b.ts -> a.ts`. A circle is listed once, from the first of its files in order.
 */
export function findCircles(imports: readonly Pick<ImportStatement, 'file' | 'target'>[]): string[] {
  const targetsOf = new Map<string, Set<string>>();
  for (const { file, target } of imports) targetsOf.set(file, (targetsOf.get(file) ?? new Set()).add(target));
  const circles = new Set<string>();
  for (const file of targetsOf.keys()) {
    const circle = shortestCircle(file, targetsOf);
    if (circle) circles.add(written(circle));
  }
  return [...circles].toSorted();
}

/** Breadth first: the files from `start` to the one that imports it, undefined if none of them does. */
function shortestCircle(start: string, targetsOf: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const seen = new Set<string>();
  let paths = [[start]];
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const target of targetsOf.get(path.at(-1) ?? '') ?? []) {
        if (target === start) return path;
        if (seen.has(target)) continue;
        seen.add(target);
        longer.push([...path, target]);
      }
    }
    paths = longer;
  }
  return undefined;
}

function written(circle: readonly string[]): string {
  const first = circle.indexOf(circle.toSorted()[0] ?? '');
  const turned = [...circle.slice(first), ...circle.slice(0, first)];
  return [...turned, turned[0]].join(' -> ');
}
