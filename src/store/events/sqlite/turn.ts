/** Resolves in the next turn of the event loop: others have had theirs. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
