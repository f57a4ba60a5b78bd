import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { AccountMessage, SentStanding } from '../../port/updates.ts';

/** What a login has sent. */
export interface SendsOfLogin<Sends> {
  /** Remembers what another login of the account sent, which is ending. */
  takeOver(other: Sends): void;
  /** Whether the gateway sent the message, through this login or another of the account. */
  isOwn(chatId: string, messageId: number): string | undefined;
  /** Resolves when no send of the account to the chat is in flight; undefined if none is. */
  underWay(chatId: string): Promise<unknown> | undefined;
  /** The messages that it sent last. */
  last(max: number): Omit<AccountMessage, 'account'>[];
}

/** Of each login that has ended, and of all of them, for the other processes. */
const maxOfEnded = 100;
const maxOfAllEnded = 20_000;

/**
 * The logins of each account in this process: what one of them sent through the gateway is no message from elsewhere to
 * the others (WH3). Another process may have logins of the account too.
 */
export class LoginsOfAccount<Sends extends SendsOfLogin<Sends>> {
  readonly #byAccount = new Map<string, Set<Sends>>();
  /** What logins sent that have ended here, while this process is one of several. */
  readonly #ended = new LruMap<string, true>(maxOfAllEnded);
  #askElsewhere: ((message: AccountMessage, signal: LightAbortSignal) => Promise<boolean>) | undefined;

  /** @param ask whether another process has sent a message */
  asksElsewhere(ask: (message: AccountMessage, signal: LightAbortSignal) => Promise<boolean>): void {
    this.#askElsewhere = ask;
  }

  /** Whether another process has sent the message. */
  isSentElsewhere(message: AccountMessage, signal: LightAbortSignal): Promise<boolean> {
    return this.#askElsewhere?.(message, signal) ?? Promise.resolve(false);
  }

  /** What this process knows of a message, for another one. */
  standingOf(message: AccountMessage): SentStanding {
    const { account, chatId, messageId } = message;
    const [login] = this.#byAccount.get(account) ?? [];
    if (login?.isOwn(chatId, messageId) !== undefined || this.#ended.has(keyOf(message))) return { kind: 'sent' };
    const ended = login?.underWay(chatId);
    return ended === undefined ? { kind: 'unknown' } : { kind: 'in flight', ended };
  }

  /** @param account user ID */
  join(account: string, login: Sends): void {
    const logins = this.#byAccount.get(account) ?? new Set();
    this.#byAccount.set(account, logins.add(login));
  }

  /** The others remember what it sent. */
  leave(account: string, login: Sends): void {
    const logins = this.#byAccount.get(account);
    if (logins?.delete(login) !== true) return;
    for (const other of logins) other.takeOver(login);
    if (logins.size > 0) return;
    this.#byAccount.delete(account);
    if (this.#askElsewhere === undefined) return;
    for (const sent of login.last(maxOfEnded)) this.#ended.set(keyOf({ account, ...sent }), true);
  }

  /** All logins of the account but this one. */
  others(account: string, login: Sends): readonly Sends[] {
    return [...(this.#byAccount.get(account) ?? [])].filter((other) => other !== login);
  }
}

const keyOf = ({ account, chatId, messageId }: AccountMessage): string => `${account} ${chatId} ${messageId}`;
