/** Maps a list with so much work at once at most. What fails makes it fail, and nothing more is begun. */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    for (let place = next++; place < items.length; place = next++) {
      try {
        results[place] = await work(items[place] as T);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, oneAfterTheOther));
  return results;
}
