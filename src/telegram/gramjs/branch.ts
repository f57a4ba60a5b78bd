import { Api } from 'telegram/tl/index.js';
import { LoginLostError } from '../login-lost.ts';
import { TelegramError } from '../port.ts';
import { openWire, type Wire, type WireSetting } from './wire.ts';

/** What a connection to another data centre needs of the account's own. */
export interface Home {
  /** By data centre; a key that is made here is put in. */
  keys: Map<number, Buffer>;
  /** Asks the account's own data centre. */
  call: <R extends Api.AnyRequest>(request: R, signal: AbortSignal) => Promise<R['__response']>;
}

/**
 * Runs one request in a data centre that the account does not live in, where files may lie: connects, shows that the
 * account is the account (https://core.telegram.org/api/datacenter), asks, and closes again (D8).
 */
export async function callElsewhere<R extends Api.AnyRequest>(
  setting: WireSetting,
  home: Home,
  dc: number,
  request: R,
  signal: AbortSignal,
): Promise<R['__response']> {
  const key = home.keys.get(dc);
  const wire = await openWire(setting, key === undefined ? { dc } : { dc, key }, signal);
  const close = (): void => wire.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    if (key !== undefined) {
      try {
        return await wire.introduce(request);
      } catch (error) {
        if (error instanceof LoginLostError) {
          // Telegram has forgotten this key, which is not the account's own: another one is made.
          home.keys.delete(dc);
          return await callElsewhere(setting, home, dc, request, signal);
        }
        if (!(error instanceof TelegramError && error.code === 401)) throw error;
      }
    }
    await introduceAccount(wire, home, signal);
    home.keys.set(dc, wire.key);
    return await wire.invoke(request);
  } finally {
    signal.removeEventListener('abort', close);
    wire.close();
  }
}

async function introduceAccount(wire: Wire, home: Home, signal: AbortSignal): Promise<void> {
  const { id, bytes } = await home.call(new Api.auth.ExportAuthorization({ dcId: wire.dc }), signal);
  await wire.introduce(new Api.auth.ImportAuthorization({ id, bytes }));
}
