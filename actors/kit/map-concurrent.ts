/**
 * Maps a list, with up to `maxAtOnce` pieces of work at the same time. Results stand in the order of the items.
 * @throws what the first failing work throws; no further work is begun then
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  maxAtOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const runOneAfterAnother = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, items.length) }, runOneAfterAnother));
  return results;
}
