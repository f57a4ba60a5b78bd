/** Counts, by session, how often something was sent or delivered. What was counted changes a version once it is shown. */
export class UsageCounter {
  #hidden = new Set<string>();
  /** More sessions than an event names are hidden. */
  #isAllHidden = false;
  /** How often something was shown, for any session, and for all of them at once. */
  #any = 0;
  #all = 0;
  readonly #versions = new Map<string, number>();

  /** @param json the data of an event `UsageRecorded` (OS3.7) */
  count(json: string): void {
    const { sessions, count } = JSON.parse(json) as { sessions: string[]; count: number };
    if (count > sessions.length) this.countAll();
    for (const id of sessions) this.#hidden.add(id);
  }

  /** It is not known what was used. */
  countAll(): void {
    this.#isAllHidden = true;
  }

  /** Shows what was counted. @returns another number if that is something */
  show(): number {
    if (!this.#isAllHidden && this.#hidden.size === 0) return this.#any;
    this.#any += 1;
    if (this.#isAllHidden) {
      this.#all += 1;
      this.#versions.clear();
    } else {
      for (const id of this.#hidden) this.#versions.set(id, (this.#versions.get(id) ?? 0) + 1);
    }
    this.#hidden = new Set();
    this.#isAllHidden = false;
    return this.#any;
  }

  /** Another number once what this session used is shown. */
  versionOf(id: string): string {
    return `${this.#all} ${this.#versions.get(id) ?? 0}`;
  }
}
