import { Api } from 'telegram/tl/index.js';
import { LruMap } from '../../../../actors/kit/lru-map.ts';

const maxRemembered = 1_000;

interface Sent {
  /** Undefined if it is known from an update only: it was sent before a restart. */
  chat: string | undefined;
  /** Message ID; undefined until it is known. */
  id: number | undefined;
}

/** Sends to one chat that are in flight, and the waiters for their end. */
interface UnderWay {
  count: number;
  ended: Promise<void>;
  end: () => void;
}

/** Maps the last sends of an account to their messages. */
export class SentMessages {
  /** By random ID. */
  readonly #sends = new LruMap<bigint, Sent>(maxRemembered);
  /** By chat, created by the first send. */
  #underWay: Map<string, UnderWay> | undefined;
  readonly #onKnown: (chat: string, id: number) => void;

  /** @param onKnown called once for each message that was sent to a chat */
  constructor(onKnown: (chat: string, id: number) => void = () => undefined) {
    this.#onKnown = onKnown;
  }

  /** A send begins; {@link end} follows. */
  begin(randomId: bigint, chat: string): void {
    this.#put(randomId, { chat, id: this.idOf(randomId) });
    this.#underWay ??= new Map();
    const underWay = this.#underWay.get(chat) ?? openUnderWay();
    underWay.count += 1;
    this.#underWay.set(chat, underWay);
  }

  /** The send became this message. */
  remember(randomId: bigint, id: number): void {
    const before = this.#sends.peek(randomId);
    this.#put(randomId, { chat: before?.chat, id });
    if (before?.chat !== undefined && before.id === undefined) this.#onKnown(before.chat, id);
  }

  /** The send has ended, with or without a message. */
  end(chat: string): void {
    const underWay = this.#underWay?.get(chat);
    if (underWay === undefined) return;
    underWay.count -= 1;
    if (underWay.count > 0) return;
    this.#underWay?.delete(chat);
    underWay.end();
  }

  /** Resolves when no send to the chat is in flight; undefined if none is. */
  underWay(chat: string): Promise<void> | undefined {
    return this.#underWay?.get(chat)?.ended;
  }

  /** Whether this login sent a message: `known` from its send, or `named` by Telegram. */
  isOwn(chat: string, id: number): 'known' | 'named' | undefined {
    for (const sent of this.#sends.values()) {
      if (sent.id === id && (sent.chat === undefined || sent.chat === chat)) {
        return sent.chat === undefined ? 'named' : 'known';
      }
    }
    return undefined;
  }

  /** Updates name messages whose answers were lost. */
  note(update: Api.TypeUpdate): void {
    if (!(update instanceof Api.UpdateMessageID) || update.randomId === undefined) return;
    this.remember(BigInt(update.randomId.toString()), update.id);
  }

  idOf(randomId: bigint): number | undefined {
    return this.#sends.peek(randomId)?.id;
  }

  isClaimed(chat: string, id: number): boolean {
    return [...this.#sends.values()].some((message) => message.id === id && message.chat === chat);
  }

  #put(randomId: bigint, sent: Sent): void {
    this.#sends.set(randomId, sent);
  }
}

function openUnderWay(): UnderWay {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { count: 0, ended, end };
}
