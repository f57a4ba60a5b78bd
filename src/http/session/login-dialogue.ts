import type { CommandOrigin } from '../../../actors/runtime/sessions.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { NotConnectedError } from '../../telegram/port/errors.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';

type Deps = Pick<AppDeps, 'sessions' | 'views' | 'clock'>;

/** Seconds after which Telegram may be within reach again. */
const retrySeconds = 5;

/** The steps of a login that a person takes part in. Each throws the error of its response, and resolves with the session after it. */
export interface LoginDialogue {
  /** Has Telegram send a code. @param phone as people write it */
  sendCode(id: string, phone: string): Promise<SessionView | undefined>;
  /** `isUsedUp`: the last code has expired, and the session is deleted. */
  submitCode(
    id: string,
    code: string,
    origin: CommandOrigin,
  ): Promise<{ isUsedUp: boolean; view: SessionView | undefined }>;
  submitPassword(id: string, password: string, origin: CommandOrigin): Promise<SessionView | undefined>;
}

export function loginDialogue(deps: Deps): LoginDialogue {
  const { sessions } = deps;
  return {
    async sendCode(id, phone) {
      const { outcome, position } = await atTelegram(sessions.sendCode(id, digitsOf(phone)));
      if (outcome === 'not-possible') throw new GatewayError(400, 'session does not wait for a login');
      if (outcome === 'used-up') throw new GatewayError(400, 'no more codes can be asked for');
      return readYourWrites(deps, id, position);
    },
    async submitCode(id, code, origin) {
      const { outcome, position } = await atTelegram(sessions.submitCode(id, code.trim(), origin));
      if (outcome === 'not-required') throw new GatewayError(400, 'code is not required');
      const view = await readYourWrites(deps, id, position);
      if (outcome === 'rejected') throw new GatewayError(400, 'invalid code');
      if (outcome === 'renewed') throw codeExpired();
      return { isUsedUp: outcome === 'used-up', view };
    },
    async submitPassword(id, password, origin) {
      const { outcome, position } = await sessions.submitPassword(id, password, origin);
      if (outcome === 'not-required') throw new GatewayError(400, 'password is not required');
      const view = await readYourWrites(deps, id, position);
      if (outcome === 'rejected') throw new GatewayError(400, 'invalid password');
      return view;
    },
  };
}

/** A login whose caller waits for it. @throws {GatewayError} 503 if Telegram is out of reach */
export async function atTelegram<T>(login: Promise<T>): Promise<T> {
  try {
    return await login;
  } catch (error) {
    if (error instanceof NotConnectedError)
      throw new GatewayError(503, 'telegram is out of reach', retrySeconds, { cause: error });
    throw error;
  }
}

export const codeExpired = (): GatewayError => new GatewayError(400, 'code expired');

export const digitsOf = (phone: string): string => phone.replace(/\D/g, '');
