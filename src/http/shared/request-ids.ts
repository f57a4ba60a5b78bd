/** Unique over restarts, and cheap: a start's own prefix and a count. */
export function requestIds(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${((count += 1)).toString(36)}`;
}
