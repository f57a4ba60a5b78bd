import type { TestGatewayOptions } from '../gateway/gateway.ts';
import type { KurrentPlace } from '../store/kurrent-place.ts';
import { type Delivery, readDeliveries } from './deliveries.ts';
import { ann, type Caller, openScene, type Scene } from './scene.ts';

/** Nobody is asked: the guard refuses it. */
const webhook = { url: 'http://127.0.0.1:9/hook', token: 'secret' };

/** What the webhook wants. */
interface Filter {
  events?: readonly string[];
  chats?: string | readonly string[];
}

/** A scene, and what is recorded of what happens in it. */
export interface UpdatesScene extends Scene {
  /** Ann's session, connected, with a webhook. */
  annWithWebhook(filter?: Filter): Promise<Caller>;
  setWebhook(caller: Caller, isOn?: boolean, filter?: Filter): Promise<void>;
  /** The account writes from its phone; its message ID. */
  write(from: string, peer: string, text: string): Promise<number>;
  /** Without the marks. */
  deliveries(caller: Caller): Promise<Delivery[]>;
  /** How often the record has begun. */
  marks(caller: Caller): Promise<number>;
  /** What is delivered, as soon as it is so much; time stands still meanwhile. */
  delivered(caller: Caller, count: number): Promise<Delivery[]>;
}

/** @param place a place of the test's own that has the events */
export async function openUpdatesScene(
  options: Partial<TestGatewayOptions> = {},
  place?: KurrentPlace,
): Promise<UpdatesScene> {
  const scene = await openScene(options);
  const kurrent = place ?? scene.kurrent;
  const all = (caller: Caller): Promise<Delivery[]> =>
    readDeliveries({ dataDir: scene.gateway.dataDir, kurrent }, caller.id);
  return Object.assign(scene, {
    async annWithWebhook(filter: Filter = {}): Promise<Caller> {
      const caller = await scene.connected(ann);
      await this.setWebhook(caller, true, filter);
      return caller;
    },
    async setWebhook(caller: Caller, isOn = true, filter: Filter = {}): Promise<void> {
      const body = isOn ? { ...webhook, ...filter } : { url: '', token: '' };
      const answer = await scene.request(caller, 'PUT', '/session/webhook', body);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
    async write(from: string, peer: string, text: string): Promise<number> {
      const { messageId } = await scene.sandbox.call<{ messageId: string | number }>(
        'POST',
        `/accounts/${from}/messages`,
        { peer, text },
      );
      return Number(messageId);
    },
    deliveries: async (caller: Caller) => (await all(caller)).filter(({ type }) => type !== 'RecordingStarted'),
    marks: async (caller: Caller) => (await all(caller)).filter(({ type }) => type === 'RecordingStarted').length,
    async delivered(caller: Caller, count: number): Promise<Delivery[]> {
      for (;;) {
        const found = (await all(caller)).filter(({ type }) => type !== 'RecordingStarted' && type !== 'MessageSent');
        if (found.length >= count) return found;
        await scene.clock.advance(0);
      }
    },
  });
}
