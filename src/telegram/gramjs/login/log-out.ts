import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { LoginState } from '../../login/login-state.ts';
import {
  type MtprotoConnection,
  type MtprotoConnectionDeps,
  openMtprotoConnection,
} from '../connection/mtproto-connection.ts';

const logOutMs = 5_000;
const noAnswer = (): Error => new TimeoutError('no answer');

/** Logs out at Telegram on an open connection; best effort, within a limit. */
export async function logOutOn(deps: MtprotoConnectionDeps, connection: MtprotoConnection): Promise<void> {
  await withTimeout(deps.clock, logOutMs, noAnswer, () => connection.invoke(new Api.auth.LogOut())).catch(
    () => undefined,
  );
}

/** Logs out at Telegram with a login that is not connected; best effort, within a limit. */
export async function logOutStored(
  deps: MtprotoConnectionDeps,
  { dc, keys }: Pick<LoginState, 'dc' | 'keys'>,
): Promise<void> {
  const key = keys.get(dc);
  if (key === undefined) return;
  const logOut = async (signal: LightAbortSignal): Promise<void> => {
    const connection = await openMtprotoConnection(deps, { dc, key }, signal);
    signal.addEventListener('abort', () => connection.close(), { once: true });
    await connection.introduce(new Api.auth.LogOut()).finally(() => connection.close());
  };
  await withTimeout(deps.clock, logOutMs, noAnswer, logOut).catch(() => undefined);
}
