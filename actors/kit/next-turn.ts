/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * The items one after the other. After each `perTurn` of them the event loop goes on, so that a long walk through what is in
 * memory delays nothing else.
 */
export async function* inTurns<T>(items: Iterable<T>, perTurn: number): AsyncGenerator<T> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count % perTurn === 0) await nextTurn();
  }
}
