import type { SideRow } from '../side-view.ts';

/** A login that has ended without its caller's wish. */
export interface Loss {
  /** Of the session. */
  id: string;
  reason: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Of a tenant, so that memory is bounded. */
const maxLosses = 20;
const keptMs = 7 * 24 * 60 * 60_000;

/** The last losses of each tenant, the newest first. */
export class RecentLosses {
  /** By tenant; empty: of none. */
  readonly #losses = new Map<string, Loss[]>();
  readonly #changed = new Set<string>();

  /** Replaces everything by saved rows. */
  load(rows: Iterable<readonly [key: string, value: string]>): void {
    this.#losses.clear();
    this.#changed.clear();
    for (const [tenant, value] of rows) this.#losses.set(tenant, JSON.parse(value) as Loss[]);
  }

  add(tenant: string, loss: Loss, now: number): void {
    if (loss.at + keptMs <= now) return;
    this.#losses.set(tenant, [loss, ...(this.#losses.get(tenant) ?? [])].slice(0, maxLosses));
    this.#changed.add(tenant);
  }

  /** @param tenant undefined: all. @param since milliseconds since 1970 */
  list(tenant: string | undefined, since: number): Loss[] {
    const losses = tenant === undefined ? [...this.#losses.values()].flat() : (this.#losses.get(tenant) ?? []);
    return losses
      .filter(({ at }) => at >= since)
      .toSorted((one, other) => other.at - one.at)
      .slice(0, maxLosses);
  }

  *changes(now: number): Generator<SideRow> {
    for (const [tenant, losses] of this.#losses) {
      const kept = losses.filter(({ at }) => at + keptMs > now);
      if (kept.length === losses.length) continue;
      if (kept.length === 0) this.#losses.delete(tenant);
      else this.#losses.set(tenant, kept);
      this.#changed.add(tenant);
    }
    for (const tenant of this.#changed) {
      const losses = this.#losses.get(tenant);
      yield [tenant, losses && JSON.stringify(losses)];
    }
  }

  saved(): void {
    this.#changed.clear();
  }
}
