import { AuthKey } from 'telegram/crypto/AuthKey.js';

const keyBytes = 256;
let undo: (() => void) | undefined;

/**
 * Cures defects of functions that GramJS shares among all its parts, at run time, for the whole process, once. The other
 * defects are cured where they belong, and tested by their numbers in `test/telegram/defects.test.ts`:
 *
 * - D1, D3, D4, D6: `sender.ts` · D2: `catch-up.ts` · D5: `peer-book.ts` · D7: `login-lost.ts`
 * - D8, D10: `wire.ts` and `login-state.ts`: one sender a connection, closed whole; keys without addresses
 * - D9: `send-text.ts` · D11: `tcp-socket.ts` · D12: here
 *
 * @returns what takes the cures back
 */
export function applyHardening(): () => void {
  undo ??= padKeys();
  return undo;
}

/** D12: a key that begins with a zero byte loses it, and the handshake fails: 1 of 256. */
function padKeys(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its object below
  const { setKey } = AuthKey.prototype;
  AuthKey.prototype.setKey = function setWholeKey(this: AuthKey, value?: Buffer | AuthKey): Promise<void> {
    const short = Buffer.isBuffer(value) && value.length > 0 && value.length < keyBytes;
    return setKey.call(this, short ? Buffer.concat([Buffer.alloc(keyBytes - value.length), value]) : value);
  };
  return () => {
    AuthKey.prototype.setKey = setKey;
    undo = undefined;
  };
}
