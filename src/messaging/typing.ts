import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import type { OwnedPartitions } from '../../actors/ports/ownership.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { resolveRecipient } from '../recipients/resolve-recipient.ts';
import type { TelegramAccount, TelegramAccounts } from '../telegram/port/account.ts';
import type { ChatAction } from '../telegram/port/outgoing.ts';
import type { Peer } from '../telegram/port/peer.ts';

/** The interface's (TY1). Telegram's apps show it for up to 6 s unless it is cancelled. */
const shownMs = 5_000;
/** A later indicator would no longer be true. */
const timeoutSeconds = 30;
/** Cancelling indicators must not delay a shutdown. */
const endMs = 1_000;

interface Shown {
  sessionId: string;
  peer: Peer;
  /** Of a forum. */
  topic: number | undefined;
  timer: TimerHandle;
}

export interface ShownAction {
  action: Exclude<ChatAction, 'cancel'>;
  /** Of a forum. */
  topic?: number | undefined;
}

/** Typing indicators. Each ends by itself, 5 s after it was last shown in its chat (TY1). */
export class TypingIndicators {
  readonly #accounts: TelegramAccounts;
  readonly #clock: Clock;
  /** By session and chat. */
  readonly #shown = new Map<string, Shown>();

  constructor(accounts: TelegramAccounts, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /**
   * @param account of the session, as the caller may use it
   * @throws {GatewayError} the recipient is wrong, or it took too long. @throws {TelegramError} {@link NotConnectedError}
   */
  async show(
    sessionId: string,
    account: TelegramAccount,
    recipient: Recipient,
    { action, topic }: ShownAction,
  ): Promise<void> {
    await withTimeout(this.#clock, timeoutSeconds * 1000, late, async (signal) => {
      const peer = await resolveRecipient(account, recipient, signal);
      await account.showTyping(peer, action, topic, signal);
      this.#endLater(sessionId, peer, topic);
    });
  }

  /** Cancels all of them when the service ends, and waits for up to 1 s. */
  async end(): Promise<void> {
    await this.endOf({ has: () => true });
  }

  /** Cancels those of sessions that leave this process, and waits for up to 1 s. @returns undefined: there are none */
  endOf(sessions: Pick<OwnedPartitions, 'has'>): Promise<void> | undefined {
    const ended = [...this.#shown].filter(([, { sessionId }]) => sessions.has(sessionId));
    if (ended.length === 0) return undefined;
    const cancelled = ended.map(([name, shown]) => {
      this.#shown.delete(name);
      this.#clock.clearTimeout(shown.timer);
      return this.#cancel(shown);
    });
    return Promise.all(cancelled).then(() => {});
  }

  #endLater(sessionId: string, peer: Peer, topic: number | undefined): void {
    const name = `${sessionId} ${peer.id} ${topic ?? ''}`;
    const before = this.#shown.get(name);
    if (before !== undefined) this.#clock.clearTimeout(before.timer);
    const timer = this.#clock.setTimeout(() => {
      this.#shown.delete(name);
      void this.#cancel({ sessionId, peer, topic });
    }, shownMs);
    this.#shown.set(name, { sessionId, peer, topic, timer });
  }

  /** If it fails, Telegram's apps stop showing it by themselves. */
  async #cancel({ sessionId, peer, topic }: Omit<Shown, 'timer'>): Promise<void> {
    const account = this.#accounts.get(sessionId);
    if (account === undefined) return;
    const cancel = (signal: LightAbortSignal): Promise<void> => account.showTyping(peer, 'cancel', topic, signal);
    await withTimeout(this.#clock, endMs, late, cancel).catch(() => {});
  }
}

const late = (): GatewayError => new GatewayError(500, `typing timeout after ${timeoutSeconds}s`);
