import { OutsideChatsError } from './chat-bound.ts';
import { GatewayRefusal, GatewayUnreachable } from './gateway.ts';

/** Codes of docs/errors.md with something better to do than what their status says. */
const byCode: Readonly<Record<string, string>> = {
  chat_not_found: 'Take a chat_id of list_chats; the account has met no other chats.',
  chat_not_allowed:
    'The key of this server is for other chats: list_chats has them. Tell the user, and do not look for another way around it.',
  chat_required: 'Name the chat_id of a chat of list_chats.',
  message_not_found: 'Take a message_id of get_messages or search_messages, with the chat_id that stands beside it.',
  session_not_found: 'The person who runs this server has to set another session. Do not try again.',
  session_not_connected:
    'The account is not logged in to Telegram, or is reconnecting. Try again in a minute; if it stays so, tell the user.',
  session_not_active: 'The gateway has just been started. Try again in a few seconds.',
  idempotency_key_reused: 'Another message was sent with this request_id. Use a new one for a new message.',
  outcome_unknown:
    'It is not known whether the message was sent. Look with get_messages before you send it again with a new request_id.',
  telegram_timeout: 'Telegram did not answer in time.',
};

/** What an agent should do about an error. For statuses without a better advice by code. */
function byStatus(status: number): string {
  if (status === 401)
    return 'The key of this server is wrong, expired or revoked. Only the person who runs it can change that. Do not try again.';
  if (status === 403)
    return 'The key of this server is not allowed to do this. Tell the user, and do not look for another way around it.';
  if (status === 404) return 'The gateway does not have this. It may be older than this server.';
  if (status === 429 || status === 503) return 'Try again later, not at once.';
  if (status >= 500)
    return 'Telegram or the gateway could not do it. The same call may work later; tell the user if it does not.';
  return 'Correct the arguments before you call again.';
}

/**
 * What a tool answers after an error: what is wrong, and what to do.
 * @param requestId of a send, under which it can be repeated without a second message
 */
export function adviceOn(error: unknown, requestId?: string): string {
  const again =
    requestId === undefined
      ? ''
      : ` The message may have been sent all the same: to know, repeat the call with request_id "${requestId}". It is sent once at most.`;
  if (error instanceof GatewayUnreachable) {
    return `The gateway did not answer in time. Try again in a moment; if it stays so, tell the user.${again}`;
  }
  if (error instanceof OutsideChatsError) {
    return `${error.message}. The person who runs it has not allowed this chat. Tell the user, and do not look for another way around it.`;
  }
  if (!(error instanceof GatewayRefusal)) return `This server failed. Tell the user.${again}`;
  const { status, message, code, retryAfter } = error;
  const wait = retryAfter === undefined ? '' : ` Wait ${retryAfter} seconds before you try again.`;
  const isOpen = status === 429 || status >= 500;
  return `${message} (${status}). ${byCode[code] ?? byStatus(status)}${wait}${isOpen ? again : ''}`;
}
