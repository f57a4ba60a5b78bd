import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { telegramAway } from '../../connection/reconnect-policy.ts';
import type { LoginRepository } from '../../login/login-repository.ts';
import type { GramSession } from '../gram-session.ts';
import type { LoginTask } from './login-task.ts';

/** Stores a task's login as it is now. @returns the fact, which is reported only after that */
export async function storeStep(
  { login, steps, stop }: LoginTask,
  session: GramSession,
  logins: LoginRepository,
): Promise<TelegramFact> {
  await steps.write(() => logins.save(session.snapshot()));
  if (session.stage !== 'complete') {
    const hint = await steps.retry(telegramAway, () => session.passwordHint(stop));
    return { type: 'PasswordRequested', login, hint };
  }
  const profile = await steps.retry(telegramAway, () => session.introduce(stop));
  await steps.write(() => logins.save(session.snapshot()));
  return { type: 'LoggedIn', login, ...profile };
}
