import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import type { RetryDeps } from '../../../actors/kit/retry.ts';
import { SingleWriter } from '../../../actors/kit/single-writer.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { MasterSealer } from '../../../actors/ports/sealer.ts';
import type { SideRow, SideTable, SideView } from '../../../projections/side-view.ts';
import type { OperatorEndpoint } from './deliver-session-event.ts';
import { evolveWebhook, type OperatorWebhook } from './operator-webhook.ts';
import { placeStream } from './place-codec.ts';
import { type WebhookEventContent, webhookCodec } from './webhook-codec.ts';
import { operatorWebhookPrefix, operatorWebhookStream } from './webhook-events.ts';

/** What the endpoint of a webhook is sealed as. */
const endpointContext = 'endpoint';

export interface OperatorWebhookBookDeps extends RetryDeps {
  store: Pick<EventStore, 'append' | 'last' | 'erase'>;
  clock: Clock;
  random: Randomness;
  sealer: MasterSealer;
  reportUnreadable: ReportUnreadable;
}

/** What a webhook is set with. */
export interface OperatorWebhookWish {
  /** Without a token, the one that it has stays. */
  endpoint: { url: string; token: string | undefined };
  events: string[];
  keyId: string | undefined;
}

type WebhookFact = {
  [T in WebhookEventContent['type']]: Pick<Extract<WebhookEventContent, { type: T }>, 'type' | 'data'>;
}[WebhookEventContent['type']];

/**
 * All operators' webhooks in memory: the folds of their streams, which are read in the pass of the views, and saved with them.
 */
export class OperatorWebhookBook implements SideView {
  readonly name = 'webhooks';
  readonly prefixes = [operatorWebhookPrefix];
  readonly #deps: OperatorWebhookBookDeps;
  readonly #webhooks = new Map<string, OperatorWebhook>();
  /** IDs of those that are not saved as they are. */
  readonly #unsaved = new Set<string>();
  /** IDs of erased ones: the pass may still come to their events. */
  readonly #erased = new Set<string>();
  #onSeen: ((id: string) => void) | undefined;
  /** All changes, one after the other: a tenant has only so many. */
  readonly #writes = new KeyedQueue();

  constructor(deps: OperatorWebhookBookDeps) {
    this.#deps = deps;
  }

  /** Erases what is left of removed ones. To be called when the views have caught up. @throws {StoreUnavailableError} */
  async eraseRemoved(): Promise<void> {
    for (const { id, isRemoved } of this.#webhooks.values()) if (isRemoved) await this.#erase(id);
  }

  /** Calls the listener when an event of a webhook has been read, or recorded here. */
  onSeen(listener: (id: string) => void): void {
    this.#onSeen = listener;
  }

  /** Undefined if there is none, or it was removed. */
  get(id: string): OperatorWebhook | undefined {
    const webhook = this.#webhooks.get(id);
    return webhook?.isRemoved ? undefined : webhook;
  }

  /** In the order of their IDs, which is that of their making. */
  list(): OperatorWebhook[] {
    return [...this.#webhooks.values()]
      .filter(({ isRemoved }) => !isRemoved)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The endpoint of a webhook. @throws its seal is broken */
  endpointOf({ id, endpoint }: OperatorWebhook): OperatorEndpoint {
    return JSON.parse(this.#deps.sealer.open(id, endpoint)) as OperatorEndpoint;
  }

  /**
   * @param mayStill asked when its turn has come: throws if there are too many by then
   * @throws {StoreUnavailableError} and what `mayStill` throws
   */
  add(
    { endpoint, events, keyId }: OperatorWebhookWish & { endpoint: OperatorEndpoint },
    tenant: string | undefined,
    author: string,
    mayStill: () => void,
  ): Promise<OperatorWebhook> {
    return this.#writes.run('', async () => {
      mayStill();
      const id = this.#deps.random.uuid();
      const data = {
        endpoint: this.#seal(id, endpoint),
        events,
        ...(keyId !== undefined && { keyId }),
        ...(tenant !== undefined && { tenant }),
      };
      await this.#append(id, -1, { type: 'WebhookAdded', data }, author);
      return this.#webhooks.get(id) as OperatorWebhook;
    });
  }

  /** Undefined if there is none any more. @throws {StoreUnavailableError} */
  change(
    id: string,
    { endpoint: { url, token }, events, keyId }: OperatorWebhookWish,
    author: string,
  ): Promise<OperatorWebhook | undefined> {
    return this.#writes.run('', async () => {
      const webhook = this.get(id);
      if (webhook === undefined) return undefined;
      const endpoint = { url, token: token ?? this.endpointOf(webhook).token };
      const data = { endpoint: this.#seal(id, endpoint), events, ...(keyId !== undefined && { keyId }) };
      await this.#append(id, webhook.revision, { type: 'WebhookChanged', data }, author);
      return this.get(id);
    });
  }

  /**
   * @param only removed if it is still this one; undefined: as it is
   * @returns false if there is none any more. @throws {StoreUnavailableError}
   */
  remove(id: string, author: string, reason?: string, only?: OperatorWebhook): Promise<boolean> {
    return this.#writes.run('', async () => {
      const webhook = this.get(id);
      if (webhook === undefined || (only !== undefined && only !== webhook)) return false;
      const data = { ...(reason !== undefined && { reason }) };
      await this.#append(id, webhook.revision, { type: 'WebhookRemoved', data }, author);
      return true;
    });
  }

  /** Nothing is left of a removed webhook. @throws {StoreUnavailableError} */
  async erase(id: string): Promise<void> {
    if (this.#webhooks.get(id)?.isRemoved) await this.#erase(id);
  }

  async #erase(id: string): Promise<void> {
    const { store } = this.#deps;
    await store.erase(placeStream(id));
    await store.erase(operatorWebhookStream(id));
    this.#webhooks.delete(id);
    this.#erased.add(id);
    this.#unsaved.add(id);
  }

  #seal(id: string, endpoint: OperatorEndpoint) {
    return this.#deps.sealer.seal(id, endpointContext, JSON.stringify(endpoint));
  }

  async #append(id: string, revision: number, { type, data }: WebhookFact, author: string): Promise<void> {
    const { clock, random } = this.#deps;
    const stream = operatorWebhookStream(id);
    const metadata = webhookCodec.stamp({ at: clock.now(), author });
    const event: NewEvent = { id: random.uuid(), type, data: { ...data } as NewEvent['data'], metadata };
    const { revision: at, position } = await new SingleWriter<NewEvent>(this.#deps, { stream, revision }).write([
      event,
    ]);
    this.see({ ...event, stream, revision: at, position, created: metadata.at });
  }

  load(table: Pick<SideTable, 'rows'>): void {
    this.#webhooks.clear();
    this.#unsaved.clear();
    for (const [id, text] of table.rows()) this.#webhooks.set(id, webhookOfRow(text));
  }

  /** Sessions' events change no webhook. */
  seeSession(): void {}

  see(recorded: RecordedEvent): void {
    const event = webhookCodec.decode(recorded);
    if (isUnreadable(event)) {
      this.#deps.reportUnreadable(event);
      return;
    }
    const id = recorded.stream.slice(operatorWebhookPrefix.length);
    const before = this.#webhooks.get(id);
    if (this.#erased.has(id)) return;
    // What this process has recorded is seen twice.
    if (before !== undefined && recorded.revision <= before.revision) return;
    const webhook = evolveWebhook(id, before, event);
    if (webhook === undefined) return;
    this.#webhooks.set(id, webhook);
    this.#unsaved.add(id);
    this.#onSeen?.(id);
  }

  changes(): SideRow[] {
    return [...this.#unsaved].map((id) => {
      const webhook = this.#webhooks.get(id);
      return [id, webhook && rowOfWebhook(webhook)];
    });
  }

  saved(): void {
    this.#unsaved.clear();
  }
}

/** JSON has no integers of 64 bits. */
const rowOfWebhook = (webhook: OperatorWebhook): string =>
  JSON.stringify({ ...webhook, since: webhook.since.toString() });

function webhookOfRow(text: string): OperatorWebhook {
  const row = JSON.parse(text) as Omit<OperatorWebhook, 'since'> & { since: string };
  return { ...row, since: BigInt(row.since) };
}
