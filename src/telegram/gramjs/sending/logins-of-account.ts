/** What a login has sent. */
export interface SendsOfLogin<Sends> {
  /** Remembers what another login of the account sent, which is ending. */
  takeOver(other: Sends): void;
}

/**
 * The logins of each account in this process: what one of them sent through the gateway is no message from elsewhere to
 * the others (WH3).
 */
export class LoginsOfAccount<Sends extends SendsOfLogin<Sends>> {
  readonly #byAccount = new Map<string, Set<Sends>>();

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
    if (logins.size === 0) this.#byAccount.delete(account);
  }

  /** All logins of the account but this one. */
  others(account: string, login: Sends): readonly Sends[] {
    return [...(this.#byAccount.get(account) ?? [])].filter((other) => other !== login);
  }
}
