/** A promise that rejects with the first error. */
export function createFailure(): { failed: Promise<never>; fail: (error: Error) => void } {
  let fail = (_error: Error): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // It may fail before anything waits for it.
  failed.catch(() => {});
  return { failed, fail };
}
