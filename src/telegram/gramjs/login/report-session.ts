import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import type { OnWait } from '../../connection/retry-after.ts';
import type { LoginRepository } from '../../login/login-repository.ts';
import { isProxyFailure } from '../../proxy/proxy-error.ts';
import type { TelegramLog } from '../../telegram-log.ts';
import type { GramSessionListener } from '../gram-session-listener.ts';
import { type LoginTask, noteConnected } from './login-task.ts';
import type { StoredLogin } from './stored-login.ts';

interface ReportSessionDeps {
  log: TelegramLog;
  sessionId: string;
  logins: LoginRepository;
  stored: StoredLogin;
  isBot: boolean | undefined;
  post: (fact: TelegramFact) => void;
  noteWait: OnWait;
}

/** A session that should have a stored login and has none. */
export const loginMissing = 'LOGIN_MISSING';

/** Reports what a task's session tells as facts of its login, and has its login stored. */
export function reportSession(
  task: LoginTask,
  { log, sessionId, logins, stored, isBot, post, noteWait }: ReportSessionDeps,
): GramSessionListener {
  const { login } = task;
  return {
    up: () => noteConnected(task, post),
    down: (reason) => {
      task.owesRestored = true;
      const type = isProxyFailure(reason) ? 'ProxyFailed' : 'ConnectionLost';
      if (task.session?.stage === 'complete') post({ type, login, reason });
    },
    loginLost: (reason) => {
      stored.lost(reason, task.session?.former ?? []);
      post({ type: isBot ? 'BotLoginLost' : 'LoginLost', login, reason });
    },
    updatesLost: (reason) => post({ type: 'UpdatesLost', login, reason }),
    frozen: (request) => {
      log('error', 'telegram has frozen the account', { session: sessionId, request });
      post({ type: 'AccountFrozen', login, reason: 'FROZEN_METHOD_INVALID' });
    },
    changed: () => {
      const { session, stop } = task;
      if (session !== undefined && !stop.aborted) logins.saveSoon(() => session.snapshot());
    },
    stored: () => logins.flush(),
    profileChanged: (profile) => post({ type: 'AccountChanged', login, ...profile }),
    waitAsked: noteWait,
  };
}
