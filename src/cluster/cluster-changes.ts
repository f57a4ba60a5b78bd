/** Wakes the callers that wait for a change. */
export class ClusterChanges {
  readonly #waiting = new Set<() => void>();

  happened(): void {
    for (const resolve of this.#waiting) resolve();
  }

  /** Resolves with the next change, or when the signal is aborted. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        resolve();
      };
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }
}
