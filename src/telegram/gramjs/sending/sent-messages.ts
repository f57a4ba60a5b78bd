import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { LoginsOfAccount } from './logins-of-account.ts';

const maxRemembered = 1_000;

interface Sent {
  /** Undefined if it is known from an update only: it was sent before a restart. */
  chat: string | undefined;
  /** Message ID; undefined until it is known. */
  id: number | undefined;
  /** Another login of the account sent it. */
  isOfOther?: true;
  /** It may wait in a queue, whose IDs are no message IDs. */
  mayWait?: true;
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
  readonly #logins: LoginsOfAccount<SentMessages> | undefined;
  readonly #account: () => string | undefined;

  /**
   * @param onKnown called once for each message that was sent to a chat
   * @param logins those of all accounts in this process
   * @param account its user ID, once it is known
   */
  constructor(
    onKnown: (chat: string, id: number) => void = () => undefined,
    logins?: LoginsOfAccount<SentMessages>,
    account: () => string | undefined = () => undefined,
  ) {
    this.#onKnown = onKnown;
    this.#logins = logins;
    this.#account = account;
    this.join();
  }

  /** It is known now whose login this is. */
  join(): void {
    const account = this.#account();
    if (account !== undefined) this.#logins?.join(account, this);
  }

  /** The login has ended. */
  leave(): void {
    const account = this.#account();
    if (account !== undefined) this.#logins?.leave(account, this);
  }

  /**
   * A send begins; {@link end} follows.
   * @param mayWait Telegram may put it into a queue: what it names then is no message
   */
  begin(randomId: bigint, chat: string, mayWait = false): void {
    this.#put(randomId, { chat, id: this.idOf(randomId), ...(mayWait && { mayWait }) });
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

  /** Resolves when no send of the account to the chat is in flight; undefined if none is. */
  underWay(chat: string): Promise<unknown> | undefined {
    const ends = [this, ...this.#others].flatMap((sent) => sent.#underWay?.get(chat)?.ended ?? []);
    return ends.length === 0 ? undefined : Promise.all(ends);
  }

  /**
   * Whether a message was sent through the gateway: `known` from this login's send, `named` by Telegram, or sent by
   * `another` login of the account.
   */
  isOwn(chat: string, id: number): 'known' | 'named' | 'another' | undefined {
    const own = this.#find(chat, id);
    if (own !== undefined) return own;
    for (const other of this.#others) if (other.#find(chat, id) !== undefined) return 'another';
    return undefined;
  }

  /** Whether another process has sent the message. What this one knows is asked first. */
  isSentElsewhere(chatId: string, messageId: number, signal: LightAbortSignal): Promise<boolean> {
    const account = this.#account();
    if (account === undefined || this.#logins === undefined) return Promise.resolve(false);
    return this.#logins.isSentElsewhere({ account, chatId, messageId }, signal);
  }

  /** The messages that were sent last. */
  last(max: number): { chatId: string; messageId: number }[] {
    const known = [...this.#sends.values()].flatMap(({ chat, id }) =>
      chat === undefined || id === undefined ? [] : { chatId: chat, messageId: id },
    );
    return known.slice(-max);
  }

  /** Remembers what another login sent, which is ending. */
  takeOver(other: SentMessages): void {
    for (const [randomId, { chat, id }] of other.#sends.entries()) this.#put(randomId, { chat, id, isOfOther: true });
  }

  #find(chat: string, id: number): 'known' | 'named' | 'another' | undefined {
    for (const sent of this.#sends.values()) {
      if (sent.id !== id || (sent.chat !== undefined && sent.chat !== chat)) continue;
      if (sent.isOfOther) return 'another';
      return sent.chat === undefined ? 'named' : 'known';
    }
    return undefined;
  }

  /** Updates name messages whose answers were lost. */
  note(update: Api.TypeUpdate): void {
    if (!(update instanceof Api.UpdateMessageID) || update.randomId === undefined) return;
    const randomId = BigInt(update.randomId.toString());
    if (!this.#sends.peek(randomId)?.mayWait) this.remember(randomId, update.id);
  }

  idOf(randomId: bigint): number | undefined {
    return this.#sends.peek(randomId)?.id;
  }

  isClaimed(chat: string, id: number): boolean {
    const isHere = (sent: SentMessages): boolean =>
      [...sent.#sends.values()].some((message) => message.id === id && message.chat === chat);
    return [this, ...this.#others].some(isHere);
  }

  get #others(): readonly SentMessages[] {
    const account = this.#account();
    return account === undefined ? [] : (this.#logins?.others(account, this) ?? []);
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
