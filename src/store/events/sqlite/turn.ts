const characters = 512 * 1024;

/**
 * What one turn of the event loop reads, and what it writes, at most: about 5 ms each. A single event may be larger.
 * Characters are those of `data` and `metadata`. More small events are written than read: each transaction waits for
 * the disk, which a fifth of all transitions a second depends on.
 */
export const readShare = { events: 250, characters } as const;
export const writeShare = { events: 1_000, characters } as const;
