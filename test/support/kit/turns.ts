/** Counts the turns of the event loop until it is stopped. */
export function countTurns(): { readonly now: number; stop(): void } {
  let now = 0;
  const next = (): void => {
    now += 1;
    pending = setImmediate(next);
  };
  let pending = setImmediate(next);
  return {
    get now() {
      return now;
    },
    stop: () => clearImmediate(pending),
  };
}
