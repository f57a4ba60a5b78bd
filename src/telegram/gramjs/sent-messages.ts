import { Api } from 'telegram/tl/index.js';

const mostRemembered = 1_000;

interface Sent {
  /** Undefined where an update has told of it: it was sent before a restart. */
  chat: string | undefined;
  /** Message ID; undefined until it is known. */
  id: number | undefined;
}

/** Which sending became which message, for the last ones of an account. */
export class SentMessages {
  readonly #byRandomId = new Map<bigint, Sent>();

  /** It is about to be sent. */
  begin(randomId: bigint, chat: string): void {
    this.#put(randomId, { chat, id: this.idOf(randomId) });
  }

  /** It has become this message. */
  remember(randomId: bigint, id: number): void {
    this.#put(randomId, { chat: this.#byRandomId.get(randomId)?.chat, id });
  }

  /** Updates tell of messages whose answers were lost. */
  note(update: Api.TypeUpdate): void {
    if (!(update instanceof Api.UpdateMessageID) || update.randomId === undefined) return;
    this.remember(BigInt(update.randomId.toString()), update.id);
  }

  idOf(randomId: bigint): number | undefined {
    return this.#byRandomId.get(randomId)?.id;
  }

  isClaimed(chat: string, id: number): boolean {
    return [...this.#byRandomId.values()].some((message) => message.id === id && message.chat === chat);
  }

  #put(randomId: bigint, sent: Sent): void {
    this.#byRandomId.delete(randomId);
    this.#byRandomId.set(randomId, sent);
    for (const oldest of this.#byRandomId.keys()) {
      if (this.#byRandomId.size <= mostRemembered) break;
      this.#byRandomId.delete(oldest);
    }
  }
}
