/** Which events were dealt with, by their `id`. In a database it survives restarts. */
export interface SeenEvents {
  has(id: string): boolean | Promise<boolean>;
  add(id: string): unknown;
}

const maxIds = 10_000;

/** The last 10,000 events, in memory. */
export function seenInMemory(): SeenEvents {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      if (ids.size <= maxIds) return;
      const [oldest] = ids;
      ids.delete(oldest as string);
    },
  };
}
