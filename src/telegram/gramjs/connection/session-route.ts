import type { ReadProxy } from '../../../../actors/ports/telegram-session.ts';
import type { LoginRepository } from '../../login/login-repository.ts';
import { Route } from '../../proxy/route.ts';
import type { SessionDriverDeps } from '../session-driver-deps.ts';

/**
 * The route of a session: through its recorded proxy. If nothing is recorded any more, that of its stored login counts: a
 * deleted session is still to be logged out.
 * @param readProxy undefined: the session has no proxy
 */
export function createRoute(
  { dialProxy }: Pick<SessionDriverDeps, 'dialProxy'>,
  sessionId: string,
  readProxy: ReadProxy | undefined,
  logins: () => Pick<LoginRepository, 'load'>,
): Route {
  const read = async (): Promise<string> => {
    if (readProxy === undefined) return '';
    return (await readProxy()) ?? (await logins().load())?.proxy ?? '';
  };
  return new Route(read, (host, port, signal) => {
    if (dialProxy === undefined) throw new Error('no proxy can be reached from here');
    return dialProxy(host, port, { sessionId, signal });
  });
}
