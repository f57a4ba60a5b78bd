import type { EventStore } from '../../../actors/ports/event-store.ts';
import { createMasterSealer } from '../../../src/store/vault/master-sealer.ts';
import { operatorEventTypes } from '../../../src/webhook/filter/event-filter.ts';
import type { OperatorWebhook } from '../../../src/webhook/operators/operator-webhook.ts';
import {
  OperatorWebhookBook,
  type OperatorWebhookBookDeps,
} from '../../../src/webhook/operators/operator-webhook-book.ts';
import { OperatorWebhooks } from '../../../src/webhook/operators/operator-webhooks.ts';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { createSeededRandomness } from '../kit/clock.ts';
import { World } from './world.ts';

/** The book, as the pass of the views fills it. */
async function openBook(
  deps: OperatorWebhookBookDeps & { store: Pick<EventStore, 'readAll'> },
): Promise<OperatorWebhookBook> {
  const book = new OperatorWebhookBook(deps);
  for await (const event of deps.store.readAll({ prefixes: book.prefixes })) book.see(event);
  return book;
}

/** A {@link World} with operators' webhooks. */
export class OperatorsWorld extends World {
  operators!: OperatorWebhooks;
  /** By key: who wants to know when it ends. */
  readonly #onEnd = new Map<string, () => void>();
  readonly #ended = new Set<string>();
  #starts = 0;

  override async start(): Promise<void> {
    await super.start();
    const { store, ownership, views, outbound, clock } = this;
    this.#starts += 1;
    const random = createSeededRandomness(10 + this.#starts, clock);
    const sealer = createMasterSealer([Buffer.alloc(32, 1)], random);
    const { reportUnreadable } = this;
    this.operators = new OperatorWebhooks({
      book: await openBook({ store, clock, random, sealer, reportUnreadable }),
      store,
      ownership,
      views,
      outbound,
      clock,
      random,
      log: this.log,
      reportUnreadable,
      keys: {
        isActive: (id) => !this.#ended.has(id),
        onEnd: (id, listener) => {
          this.#onEnd.set(id, listener);
          return () => void this.#onEnd.delete(id);
        },
      },
    });
    await this.operators.start();
  }

  override async kill(): Promise<void> {
    this.operators.crash();
    await super.kill();
  }

  endKey(id: string): void {
    this.#ended.add(id);
    this.#onEnd.get(id)?.();
  }

  /** Adds a webhook; its path tells what came to it. */
  add(
    path: string,
    { events = [...operatorEventTypes], keyId, tenant }: { events?: string[]; keyId?: string; tenant?: string } = {},
  ): Promise<OperatorWebhook> {
    const endpoint = { url: `${this.url}${path}`, token: 'token' };
    return this.operators.add({ endpoint, events, keyId }, tenant, 'owner', () => {});
  }

  /** What came to a webhook. */
  at(path: string): Payload[] {
    return this.received.filter((one) => one.path === `/hook${path}`).map(({ payload }) => payload);
  }
}
