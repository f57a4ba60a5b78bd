import bigInt from 'big-integer';
import type { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';

/** Telegram's names for: it is so already. */
const already: ReadonlySet<string> = new Set([
  'CHAT_NOT_MODIFIED',
  'CHAT_ABOUT_NOT_MODIFIED',
  'USER_ALREADY_PARTICIPANT',
  'USER_NOT_PARTICIPANT',
  'PINNED_TOPIC_NOT_MODIFIED',
]);

/** A request whose wish may hold already: then Telegram refuses it, and it is no error. */
export async function unlessSo<R extends Api.AnyRequest>(
  call: RpcCall,
  request: R,
  signal: LightAbortSignal,
): Promise<R['__response'] | undefined> {
  try {
    return await call(request, signal);
  } catch (error) {
    if (error instanceof TelegramError && already.has(error.errorName)) return undefined;
    throw error;
  }
}

/** Telegram's number of a basic group. */
export const basicGroup = ({ id }: KnownPeer): bigInt.BigInteger => bigInt(id.slice('-'.length));
