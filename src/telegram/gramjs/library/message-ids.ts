import bigInt from 'big-integer';
import type { MTProtoState } from 'telegram/network/MTProtoState.js';
import { toNative } from './native-numbers.ts';

/**
 * Makes GramJS compute the time only for the first message of a turn of the event loop. Later messages of the turn only
 * need growing IDs that are divisible by four
 * (https://core.telegram.org/mtproto/description#message-identifier-msg-id).
 */
export function numberMessagesTogether(state: MTProtoState): void {
  const numbered = state as unknown as { _lastMsgId: bigInt.BigInteger; _getNewMsgId: () => bigInt.BigInteger };
  const nextByTime = numbered._getNewMsgId.bind(state);
  let given: bigInt.BigInteger | undefined;
  numbered._getNewMsgId = () => {
    // It differs if the server's time was learnt meanwhile.
    if (given !== undefined && given === numbered._lastMsgId) {
      given = bigInt(toNative(given) + 4n);
      numbered._lastMsgId = given;
      return given;
    }
    given = nextByTime();
    setImmediate(() => {
      given = undefined;
    });
    return given;
  };
}

/**
 * When the server wrote a message, in milliseconds since 1970: an ID is the seconds, then 32 bits of their fraction
 * (https://core.telegram.org/mtproto/description#message-identifier-msg-id).
 */
export const serverTimeOf = (messageId: bigInt.BigInteger): number => Number((toNative(messageId) * 1000n) >> 32n);
