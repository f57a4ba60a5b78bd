import { timingSafeEqual } from 'node:crypto';
import { KeyedQueue } from '../../actors/kit/keyed-queue.ts';
import type { RetryDeps } from '../../actors/kit/retry.ts';
import { SingleWriter } from '../../actors/kit/single-writer.ts';
import type { Clock, Randomness, TimerHandle } from '../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../actors/ports/event-store.ts';
import type { Log } from '../../actors/ports/log.ts';
import type { SideRow, SideTable, SideView } from '../../projections/side-view.ts';
import { hashOfSecret, idOfSecret, secretBytes, secretText } from '../keys/secret-text.ts';
import { type CustomerLink, endOfLink, evolveLink, stateOfLink } from './customer-link.ts';
import { type LinkEventContent, linkCodec } from './link-codec.ts';
import { type LinkIssued, linkPrefix, linkStream } from './link-events.ts';

/** How long a link that has ended is listed; then its stream is erased. */
const listedMs = 7 * 24 * 60 * 60_000;
const sweepMs = 60 * 60_000;
/** Compared if there is no such link, so that an unknown ID costs the same as a wrong secret (AU3). */
const hashOfNoLink = '0'.repeat(64);

export interface LinkBookDeps extends RetryDeps {
  store: Pick<EventStore, 'append' | 'last' | 'erase'>;
  clock: Clock;
  random: Randomness;
  log: Pick<Log, 'warn'>;
  reportUnreadable: ReportUnreadable;
}

/** What happens to a link. */
type LinkFact = {
  [T in LinkEventContent['type']]: Pick<Extract<LinkEventContent, { type: T }>, 'type' | 'data'>;
}[Exclude<LinkEventContent['type'], 'LinkIssued'>];

/** All customers' links in memory: the folds of their streams, which are read in the pass of the views, and saved with them. */
export class LinkBook implements SideView {
  readonly name = 'links';
  readonly prefixes = [linkPrefix];
  readonly #deps: LinkBookDeps;
  readonly #links = new Map<string, CustomerLink>();
  /** IDs of those that are not saved as they are. */
  readonly #unsaved = new Set<string>();
  /** By link. */
  readonly #writes = new KeyedQueue();
  #sweep: TimerHandle | undefined;

  constructor(deps: LinkBookDeps) {
    this.#deps = deps;
  }

  /** Erases each link a week after its end. To be called when the views have caught up. */
  async start(): Promise<void> {
    await this.#eraseEnded();
  }

  stop(): void {
    if (this.#sweep !== undefined) this.#deps.clock.clearTimeout(this.#sweep);
  }

  get(id: string): CustomerLink | undefined {
    return this.#links.get(id);
  }

  /** In the order of their IDs, which is that of their making. */
  list(): CustomerLink[] {
    return [...this.#links.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The link of a token, unless it was withdrawn or has expired. */
  find(token: string): CustomerLink | undefined {
    const link = this.#links.get(idOfSecret('link', token) ?? '');
    const expected = Buffer.from(link?.hash ?? hashOfNoLink, 'hex');
    const isRight = timingSafeEqual(Buffer.from(hashOfSecret(token), 'hex'), expected);
    if (link === undefined || !isRight) return undefined;
    const state = stateOfLink(link, this.#deps.clock.now());
    return state === 'open' || state === 'used' ? link : undefined;
  }

  /**
   * @param make the link's own fields, from its ID
   * @returns the link, and its token, which is nowhere else
   * @throws {StoreUnavailableError}
   */
  async issue(
    make: (id: string) => Omit<LinkIssued, 'id' | 'hash'>,
    author: string,
  ): Promise<{ link: CustomerLink; token: string }> {
    const { random } = this.#deps;
    const id = random.uuid();
    const token = secretText('link', id, random.bytes(secretBytes));
    const data: LinkIssued = { id, hash: hashOfSecret(token), ...make(id) };
    await this.#append(id, -1, { type: 'LinkIssued', data }, author);
    return { link: this.#links.get(id) as CustomerLink, token };
  }

  /**
   * Records what happens to a link, one after the other.
   * @param decide from the link as it is then; undefined: nothing is recorded
   * @throws {StoreUnavailableError} and what `decide` throws
   */
  record(
    id: string,
    author: string,
    decide: (link: CustomerLink) => Promise<LinkFact | undefined> | LinkFact | undefined,
  ): Promise<CustomerLink | undefined> {
    return this.#writes.run(id, async () => {
      const link = this.#links.get(id);
      const fact = link && (await decide(link));
      if (link !== undefined && fact !== undefined) await this.#append(id, link.revision, fact, author);
      return this.#links.get(id);
    });
  }

  async #append(
    id: string,
    revision: number,
    fact: Pick<LinkEventContent, 'type' | 'data'>,
    author: string,
  ): Promise<void> {
    const { clock, random } = this.#deps;
    const stream = linkStream(id);
    const metadata = linkCodec.stamp({ at: clock.now(), author });
    const event: NewEvent = {
      id: random.uuid(),
      type: fact.type,
      data: { ...fact.data } as NewEvent['data'],
      metadata,
    };
    const appended = await new SingleWriter<NewEvent>(this.#deps, { stream, revision }).write([event]);
    this.see({ ...event, stream, ...appended, created: metadata.at });
  }

  load(table: Pick<SideTable, 'rows'>): void {
    this.#links.clear();
    this.#unsaved.clear();
    for (const [id, text] of table.rows()) this.#links.set(id, JSON.parse(text) as CustomerLink);
  }

  /** Sessions' events change no link. */
  seeSession(): void {}

  see(recorded: RecordedEvent): void {
    const event = linkCodec.decode(recorded);
    if (isUnreadable(event)) {
      this.#deps.reportUnreadable(event);
      return;
    }
    const id = recorded.stream.slice(linkPrefix.length);
    const before = this.#links.get(id);
    // What this process has recorded is seen twice.
    if (before !== undefined && recorded.revision <= before.revision) return;
    const link = evolveLink(before, event);
    if (link === undefined) return;
    this.#links.set(id, link);
    this.#unsaved.add(id);
  }

  changes(): SideRow[] {
    return [...this.#unsaved].map((id) => {
      const link = this.#links.get(id);
      return [id, link && JSON.stringify(link)];
    });
  }

  saved(): void {
    this.#unsaved.clear();
  }

  async #eraseEnded(): Promise<void> {
    const { clock, store, log } = this.#deps;
    const before = clock.now() - listedMs;
    try {
      for (const link of this.#links.values()) {
        if (endOfLink(link) > before) continue;
        await store.erase(linkStream(link.id));
        this.#links.delete(link.id);
        this.#unsaved.add(link.id);
      }
    } catch (err) {
      // The next sweep tries again.
      log.warn({ where: 'links', err }, 'links that have ended could not be erased');
    }
    this.#sweep = clock.setTimeout(() => void this.#eraseEnded(), sweepMs);
  }
}
