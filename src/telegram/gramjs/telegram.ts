// oxlint-disable-next-line import/no-unassigned-import -- it must be loaded before anything of GramJS
import './library/native-numbers.ts';
import type { CreateTelegramSession } from '../../../actors/ports/telegram-session.ts';
import { KeysInUse } from '../login/keys-in-use.ts';
import type { TelegramAccounts, TelegramConnections } from '../port/account.ts';
import type { AccountSends } from '../port/updates.ts';
import { prepareLibrary } from './connection/prepare-library.ts';
import { LoginsOfAccount } from './sending/logins-of-account.ts';
import { SessionDriver } from './session-driver.ts';
import type { SessionDriverDeps } from './session-driver-deps.ts';

export type TelegramOptions = Omit<SessionDriverDeps, 'logins' | 'keysInUse'>;

export interface Telegram {
  createTelegramSession: CreateTelegramSession;
  accounts: TelegramAccounts;
  connections: TelegramConnections;
  keysInUse: KeysInUse;
  sends: AccountSends;
  /** Closes all sessions that are still open. */
  close(): Promise<void>;
}

/** The connection to Telegram for the whole process, over GramJS. */
export function createTelegram(options: TelegramOptions): Telegram {
  prepareLibrary(options);
  const keysInUse = new KeysInUse();
  const logins: SessionDriverDeps['logins'] = new LoginsOfAccount();
  const deps: SessionDriverDeps = { ...options, logins, keysInUse };
  const drivers = new Map<string, SessionDriver>();
  return {
    createTelegramSession: (sessionId, report, readProxy) => {
      const onClose = (): void => {
        if (drivers.get(sessionId) === driver) drivers.delete(sessionId);
      };
      const driver = new SessionDriver(deps, sessionId, { report, readProxy, onClose });
      drivers.set(sessionId, driver);
      return driver;
    },
    accounts: { get: (sessionId) => drivers.get(sessionId)?.account },
    connections: {
      reconnecting: (sessionId) => drivers.get(sessionId)?.session?.reconnecting,
      reconnect: (sessionId) => drivers.get(sessionId)?.session?.reconnect(),
    },
    keysInUse,
    sends: logins,
    close: async () => {
      await Promise.all([...drivers.values()].map((driver) => driver.close()));
    },
  };
}
