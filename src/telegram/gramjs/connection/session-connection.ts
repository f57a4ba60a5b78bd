import { PersistentConnection, type PersistentConnectionListener } from '../../connection/persistent-connection.ts';
import type { LoginState } from '../../login/login-state.ts';
import { type ConnectionUpdates, openInitialised } from './init-connection.ts';
import { doubtMs, KeyDoubt } from './key-doubt.ts';
import type { MtprotoConnection } from './mtproto-connection.ts';
import type { GramSessionDeps } from './session-deps.ts';

/**
 * The connection of a login, opened again whenever it breaks. Sessions of one data centre learn from each other that it can
 * be reached again.
 * @param updates of the login; called at each opening
 */
export function createSessionConnection(
  deps: GramSessionDeps,
  login: LoginState,
  updates: () => ConnectionUpdates,
  listener: PersistentConnectionListener<MtprotoConnection>,
): PersistentConnection<MtprotoConnection> {
  const { clock, random, dialler } = deps;
  const doubt = new KeyDoubt(clock, doubtMs);
  return new PersistentConnection(
    { clock, random, onReached: (wake) => dialler.onReached(login.dc, wake) },
    (signal, isUrgent) => doubt.judge(() => openInitialised(deps, login, updates(), signal, isUrgent)),
    listener,
  );
}
