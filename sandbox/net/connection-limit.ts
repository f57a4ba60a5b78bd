const SECOND = 1_000;

/** How many connections are accepted a second. Telegram counts them for each address of clients. */
export class ConnectionLimit {
  private now: () => number = Date.now;
  private perSecond = Infinity;
  private accepted: number[] = [];

  /** @param perSecond undefined: no limit @param now milliseconds */
  set(perSecond: number | undefined, now = Date.now): void {
    this.perSecond = perSecond ?? Infinity;
    this.now = now;
    this.accepted = [];
  }

  /** Counts one connection. @returns whether it is one too many */
  isExceeded(): boolean {
    if (this.perSecond === Infinity) return false;
    const now = this.now();
    this.accepted = this.accepted.filter((time) => time > now - SECOND);
    if (this.accepted.length >= this.perSecond) return true;
    this.accepted.push(now);
    return false;
  }
}
