/**
 * What one turn of the event loop reads or writes at most: about 5 ms. A single event may be larger. Characters are
 * those of `data` and `metadata`.
 */
export const turnShare = { events: 250, characters: 512 * 1024 } as const;

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
