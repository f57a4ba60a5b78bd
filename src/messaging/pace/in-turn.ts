import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { PauseTimeout } from '../../../actors/kit/timeout.ts';
import type { TelegramAccount } from '../../telegram/port/account.ts';
import type { BeginSend, SendMark } from '../../telegram/port/outgoing.ts';
import type { Peer } from '../../telegram/port/peer.ts';
import { isNewChat } from './new-chat.ts';
import type { SessionPace } from './session-pace.ts';

/** The pace of the account that sends. */
export interface AccountPace {
  line: SessionPace;
  /** The name of a chat in the log. */
  nameOf: (chatId: string) => Promise<string>;
}

/** A send that may have to wait for its turn (OS7). */
export interface PacedSend {
  messages: number;
  begin: BeginSend;
  /** The mark of an earlier try. */
  begun: SendMark | undefined;
  /** Its chat; undefined if it has none. */
  chat: { id: string; isNew: (signal: LightAbortSignal) => Promise<boolean> } | undefined;
}

/** The chat of a send to a peer. */
export const chatOf = (account: TelegramAccount, peer: Peer): PacedSend['chat'] => ({
  id: peer.id,
  isNew: (signal) => isNewChat(account, peer, signal),
});

export interface TurnWait {
  /** Ends the wait. */
  signal: LightAbortSignal;
  /** The time of the send stands still while it waits. */
  pause: PauseTimeout;
  /** The caller hung up: it gives its turn up. Once the turn has come, that changes nothing. */
  left?: LightAbortSignal | undefined;
}

/**
 * Runs a send in its turn: its `begin` waits for the turn and records it, right before Telegram is called. Without a pace it
 * runs at once.
 * @throws {GatewayError} 429: its turn is too far away; 400: too many messages. {@link StoreUnavailableError}
 */
export async function inTurn<T>(
  pace: AccountPace | undefined,
  { messages, begin, begun, chat }: PacedSend,
  { signal, pause, left }: TurnWait,
  send: (begin: BeginSend) => Promise<T>,
): Promise<T> {
  if (pace?.line.pace === undefined) return send(begin);
  const { line, nameOf } = pace;
  const isNew = line.pace?.newChatsPerDay !== undefined && (await chat?.isNew(signal)) === true;
  const newChat = isNew && chat !== undefined ? await nameOf(chat.id) : undefined;
  const place = await line.join({ messages, chat: newChat, send: begun?.randomId.toString() });
  const turn = async (): Promise<SendMark> => {
    const resume = pause();
    try {
      await line.awaitTurn(place, signal, left);
    } finally {
      resume();
    }
    const mark = await begin();
    await line.record(place, mark.randomId.toString());
    return mark;
  };
  let mark: Promise<SendMark> | undefined;
  try {
    return await send(() => (mark ??= turn()));
  } finally {
    line.leave(place);
  }
}
