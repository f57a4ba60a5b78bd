// oxlint-disable-next-line import/no-unassigned-import -- it must be loaded before anything of GramJS
import './library/native-numbers.ts';
import type { CreateTelegramSession } from '../../../actors/ports/telegram-session.ts';
import type { TelegramAccounts } from '../port/account.ts';
import { applyHardening } from './library/hardening.ts';
import { trustServerKey } from './library/server-key.ts';
import { applySpeedUps } from './library/speed-ups.ts';
import { SessionDriver, type SessionDriverDeps } from './session-driver.ts';

export type TelegramOptions = SessionDriverDeps;

export interface Telegram {
  createTelegramSession: CreateTelegramSession;
  accounts: TelegramAccounts;
  /** Closes all sessions that are still open. */
  close(): Promise<void>;
}

/** The connection to Telegram for the whole process, over GramJS. */
export function createTelegram(options: TelegramOptions): Telegram {
  applySpeedUps();
  applyHardening();
  if (options.network.publicKey !== undefined) trustServerKey(options.network.publicKey);
  const links = new Map<string, SessionDriver>();
  return {
    createTelegramSession: (sessionId, report) => {
      const link = new SessionDriver(options, sessionId, report);
      links.set(sessionId, link);
      return {
        startQrLogin: (login) => link.startQrLogin(login),
        awaitPassword: (login) => link.awaitPassword(login),
        connect: (login) => link.connect(login),
        submitPassword: (login, password) => link.submitPassword(login, password),
        logOut: () => link.logOut(),
        close: async () => {
          if (links.get(sessionId) === link) links.delete(sessionId);
          await link.close();
        },
      };
    },
    accounts: { get: (sessionId) => links.get(sessionId)?.account },
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}
