import type { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import { NotJoinedError, TelegramError } from '../../port/errors.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';

/** Telegram's errors that mean: the account is not in the chat, or cannot see it. */
const outside = /^(?:CHANNEL_PRIVATE|CHANNEL_INVALID|CHAT_ID_INVALID|CHAT_FORBIDDEN|PEER_ID_INVALID)$/;

export interface AskInsideDeps {
  book: PeerCache;
  call: RpcCall;
}

/** Asks something about a chat. @throws {NotJoinedError} Telegram refuses because the account is not in it */
export async function askInside<R extends Api.AnyRequest>(
  { book, call }: AskInsideDeps,
  known: KnownPeer,
  request: R,
  signal: LightAbortSignal,
): Promise<R['__response']> {
  try {
    return await call(request, signal);
  } catch (error) {
    if (!(error instanceof TelegramError && outside.test(error.errorName))) throw error;
    book.learn({ ...known, left: true });
    // Stryker disable next-line ObjectLiteral: the cause is for the log alone
    throw new NotJoinedError(`the account is not in ${known.id}`, { cause: error });
  }
}
