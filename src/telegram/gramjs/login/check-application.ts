import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { loginRefusal } from '../../login/login-refused.ts';
import { TelegramError } from '../../port/errors.ts';
import { type MtprotoConnectionDeps, openMtprotoConnection } from '../connection/mtproto-connection.ts';
import { prepareLibrary } from '../connection/prepare-library.ts';

/**
 * Asks Telegram for a QR code that no session uses: nothing is logged in.
 * @param onAnswer called when the data centre has answered, with its number
 * @returns why Telegram lets this application log in no account; undefined if it does
 * @throws {ConnectionDownError} {@link TelegramError} the signal's reason
 */
export async function checkApplication(
  deps: MtprotoConnectionDeps,
  signal: LightAbortSignal,
  onAnswer: (dc: number) => void = () => undefined,
): Promise<string | undefined> {
  prepareLibrary(deps);
  const { apiId, apiHash, homeDc: dc } = deps.network;
  const connection = await openMtprotoConnection(deps, { dc }, signal);
  const close = (): void => connection.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    onAnswer(dc);
    await connection.introduce(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
    return undefined;
  } catch (error) {
    const refusal = loginRefusal(error);
    // Another data centre is nearer: the application itself is accepted.
    const isRedirected = error instanceof TelegramError && error.code === 303;
    if (refusal === undefined && !isRedirected) throw error;
    return refusal;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
