import { setTimeout as pause } from 'node:timers/promises';
import type { ChatwootEvent } from '../chatwoot/payloads.ts';
import { problemFrom } from './attempts.ts';
import { catchUp } from './catch-up.ts';
import { type BridgeDeps, deliverIncoming } from './deliver-incoming.ts';
import { Lanes } from './lanes.ts';
import { sendOutgoing } from './send-outgoing.ts';
import { chatOf, takeOutgoing } from './take-outgoing.ts';

/** One session of the gateway and one inbox of Chatwoot, in both directions, until it is closed. */
export class Bridge {
  readonly #deps: BridgeDeps;
  readonly #incoming: Lanes<string>;
  readonly #outgoing: Lanes<number>;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #isListening = false;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    this.#incoming = new Lanes((chatId) => deliverIncoming(deps, chatId));
    this.#outgoing = new Lanes((conversationId) => sendOutgoing(deps, conversationId));
  }

  /** @throws if the data belong to another session */
  start(): void {
    const { store, config } = this.#deps;
    const owner = `${config.sessionId} ${config.accountId} ${config.inboxId}`;
    if ((store.meta('owner') ?? owner) !== owner) {
      throw new Error('DATA_DIR belongs to another session or inbox: give each its own');
    }
    store.setMeta('owner', owner);
    if (store.meta('since') === undefined) store.setMeta('since', String(Math.floor(Date.now() / 1000)));
    const { chats, conversations } = store.waiting();
    for (const chatId of chats) this.#incoming.wake(chatId);
    for (const conversationId of conversations) this.#outgoing.wake(conversationId);
    this.#running = Promise.all([this.#listen(), this.#catchUp()]);
  }

  /** A webhook of Chatwoot, which is known to be Chatwoot's. When it returns, it is recorded. */
  take(event: ChatwootEvent): void {
    const { config, log } = this.#deps;
    const { conversation } = event;
    if (event.event !== 'message_created' || conversation === undefined || event.inbox?.id !== config.inboxId) return;
    const chatId = chatOf(this.#deps, conversation);
    if (chatId === undefined)
      log('warn', 'a message to a contact without a chat is left', { conversation: conversation.id });
    else if (takeOutgoing(this.#deps, { id: conversation.id, chatId }, event)) this.#outgoing.wake(conversation.id);
  }

  /** For monitoring: whether the gateway's events arrive, and how many messages wait in each direction. */
  status(): { isListening: boolean; incoming: number; outgoing: number } {
    return { isListening: this.#isListening, ...this.#deps.store.counts() };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#incoming.close(), this.#outgoing.close(), this.#running]);
  }

  async #listen(): Promise<void> {
    const { store, gateway, attempts, log } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const seen = store.lastSeq();
        const heard = (): void => {
          this.#isListening = true;
          attempts.succeeded('gateway');
        };
        for await (const event of gateway.events(seen, signal, heard)) {
          const last = store.lastSeq() ?? 0;
          // The gateway keeps a reader's place for 24 hours after it has left.
          if (last > 0 && event.previous > last)
            log('error', 'events are missing: the bridge was away for too long', {
              after: last,
              until: event.previous,
            });
          if (store.recordIncoming(event)) this.#incoming.wake(event.data.chatId);
        }
        this.#isListening = false;
        await this.#wait(1000);
      } catch (error) {
        this.#isListening = false;
        if (!signal.aborted) await this.#wait(attempts.failed('gateway', problemFrom(error)));
      }
    }
  }

  async #catchUp(): Promise<void> {
    const { attempts, config } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await catchUp(this.#deps, (conversationId) => this.#outgoing.wake(conversationId));
        attempts.succeeded('catch-up');
        await this.#wait(config.catchUpMs);
      } catch (error) {
        await this.#wait(attempts.failed('catch-up', problemFrom(error)));
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stop.signal }).catch(() => {});
  }
}
