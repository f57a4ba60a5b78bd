import type { TlObject } from '../rpc.ts';

export interface TypingAction {
  /** The user who showed it. */
  from: number;
  /** TL name, such as `sendMessageTypingAction`. */
  action: string;
  /** Milliseconds since 1970. */
  at: number;
}

const maxActionsPerChat = 200;

/** The typing actions (typing, recording audio, …) that were shown to each user, newest last. */
export class TypingLog {
  readonly #shown = new Map<string, TypingAction[]>();

  add(viewer: number, chat: string, action: { from: number; action: TlObject; at: number }): void {
    const key = `${viewer}|${chat}`;
    const list = this.#shown.get(key) ?? [];
    list.push({ from: action.from, action: action.action._, at: action.at });
    if (list.length > maxActionsPerChat) list.shift();
    this.#shown.set(key, list);
  }

  seenBy(viewer: number, chat: string): readonly TypingAction[] {
    return this.#shown.get(`${viewer}|${chat}`) ?? [];
  }

  clear(): void {
    this.#shown.clear();
  }
}
