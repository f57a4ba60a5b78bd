import type { TlObject } from '../rpc.ts';

export interface TypingAction {
  /** The user who showed it. */
  from: number;
  /** TL name: `sendMessageTypingAction`. */
  action: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Kept for each chat; older ones are dropped. */
const keptPerChat = 200;

/** The actions (`typing`, `recording audio`, …) that were shown to each user, newest last. */
export class TypingLog {
  readonly #shown = new Map<string, TypingAction[]>();

  add(viewer: number, chat: string, action: { from: number; action: TlObject; at: number }): void {
    const key = `${viewer}|${chat}`;
    const list = this.#shown.get(key) ?? [];
    list.push({ from: action.from, action: action.action._, at: action.at });
    if (list.length > keptPerChat) list.shift();
    this.#shown.set(key, list);
  }

  seenBy(viewer: number, chat: string): readonly TypingAction[] {
    return this.#shown.get(`${viewer}|${chat}`) ?? [];
  }

  clear(): void {
    this.#shown.clear();
  }
}
