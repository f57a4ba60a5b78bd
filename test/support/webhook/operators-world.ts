import { createMasterSealer } from '../../../src/store/vault/master-sealer.ts';
import { operatorEventTypes } from '../../../src/webhook/filter/event-filter.ts';
import type { OperatorWebhook } from '../../../src/webhook/operators/operator-webhook.ts';
import { OperatorWebhooks } from '../../../src/webhook/operators/operator-webhooks.ts';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { createSeededRandomness } from '../kit/clock.ts';
import { World } from './world.ts';

/** A {@link World} with operators' webhooks. */
export class OperatorsWorld extends World {
  operators!: OperatorWebhooks;
  /** By key: who wants to know when it ends. */
  readonly #onEnd = new Map<string, () => void>();
  readonly #ended = new Set<string>();
  #starts = 0;

  override async start(): Promise<void> {
    await super.start();
    const { store, views, outbound, clock } = this;
    this.#starts += 1;
    const random = createSeededRandomness(10 + this.#starts, clock);
    this.operators = new OperatorWebhooks({
      store,
      views,
      outbound,
      clock,
      random,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      sealer: createMasterSealer([Buffer.alloc(32, 1)], random),
      reportUnreadable: this.reportUnreadable,
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
