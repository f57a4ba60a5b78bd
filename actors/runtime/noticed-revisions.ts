/** The highest revision that was seen in the stream of each session that has no actor yet. */
export class NoticedRevisions {
  readonly #highest = new Map<string, number>();

  note(id: string, revision: number): void {
    this.#highest.set(id, Math.max(revision, this.#highest.get(id) ?? -1));
  }

  ids(): string[] {
    return [...this.#highest.keys()];
  }

  /** Forgets the session's. @returns -1 if there is none */
  take(id: string): number {
    const revision = this.#highest.get(id) ?? -1;
    this.#highest.delete(id);
    return revision;
  }
}
