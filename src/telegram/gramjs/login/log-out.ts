import { Api } from 'telegram/tl/index.js';
import { within } from '../../connection/waiting.ts';
import type { LoginState } from '../../login/login-state.ts';
import {
  type MtprotoConnection,
  type MtprotoConnectionDeps,
  openMtprotoConnection,
} from '../connection/mtproto-connection.ts';

const logOutMs = 5_000;

/** Logs out at Telegram on a connection that is there; best effort, bounded. */
export async function logOutOn(setting: MtprotoConnectionDeps, wire: MtprotoConnection): Promise<void> {
  const answer = wire.invoke(new Api.auth.LogOut());
  await within(setting.clock, logOutMs, answer, () => new Error('no answer')).catch(() => undefined);
}

/** Logs out at Telegram with a login that is not connected; best effort, bounded. */
export async function logOutStored(
  setting: MtprotoConnectionDeps,
  { dc, keys }: Pick<LoginState, 'dc' | 'keys'>,
): Promise<void> {
  const key = keys.get(dc);
  if (key === undefined) return;
  const late = new AbortController();
  const work = openMtprotoConnection(setting, { dc, key }, late.signal).then(async (wire) => {
    late.signal.addEventListener('abort', () => wire.close(), { once: true });
    await wire.introduce(new Api.auth.LogOut()).finally(() => wire.close());
  });
  await within(setting.clock, logOutMs, work, () => new Error('no answer')).catch(() => undefined);
  late.abort(new Error('no answer'));
}
