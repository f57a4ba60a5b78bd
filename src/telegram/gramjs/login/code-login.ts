import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { type CodeChannel, LoginImpossibleError } from '../../../../actors/ports/telegram-session.ts';
import type { SentLoginCode } from '../../login/login-state.ts';
import { TelegramError } from '../../port/errors.ts';
import type { MtprotoConnection } from '../connection/mtproto-connection.ts';
import { callForLogin, type LoginAnswer, type LoginCallDeps, type LoginPlace } from './login-call.ts';

/** A step of a login without a QR code: Telegram has sent a code, or the login needs its password, or nothing more. */
export type LoginStep =
  | { stage: 'code'; to: CodeChannel; hash: string }
  | { stage: 'password' | 'complete'; connection: MtprotoConnection; isBot?: true };

const channels: Readonly<Record<string, CodeChannel>> = {
  'auth.SentCodeTypeApp': 'app',
  'auth.SentCodeTypeSms': 'sms',
  'auth.SentCodeTypeSmsWord': 'sms',
  'auth.SentCodeTypeSmsPhrase': 'sms',
  'auth.SentCodeTypeFirebaseSms': 'sms',
  'auth.SentCodeTypeCall': 'call',
  'auth.SentCodeTypeFlashCall': 'call',
  'auth.SentCodeTypeMissedCall': 'call',
  'auth.SentCodeTypeEmailCode': 'email',
  'auth.SentCodeTypeFragmentSms': 'fragment',
};

/** Errors about the number itself: another try with it does not help. */
const phoneRefusals = new Set([
  'PHONE_NUMBER_INVALID',
  'PHONE_NUMBER_BANNED',
  'PHONE_NUMBER_UNOCCUPIED',
  'PHONE_NUMBER_APP_SIGNUP_FORBIDDEN',
  'PHONE_PASSWORD_PROTECTED',
]);
const tokenRefusals = new Set(['ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_EXPIRED']);

const isNamed = (error: unknown, names: ReadonlySet<string>): error is TelegramError =>
  error instanceof TelegramError && names.has(error.errorName);
const phoneCannot = (why: string): LoginImpossibleError => new LoginImpossibleError(`phone cannot log in here: ${why}`);
const needsAccount = (): LoginImpossibleError => phoneCannot('it has no account yet');

/**
 * Has Telegram send a login code (https://core.telegram.org/api/auth#sending-a-verification-code).
 * @param former the code that was sent to the phone before: then it is sent in the next way, if there is one
 * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
 */
export async function requestCode(
  deps: LoginCallDeps,
  place: LoginPlace,
  phone: string,
  former: Pick<SentLoginCode, 'hash'> | undefined,
  signal: LightAbortSignal,
): Promise<LoginStep> {
  const { apiId, apiHash } = deps.network;
  const first = new Api.auth.SendCode({ phoneNumber: phone, apiId, apiHash, settings: new Api.CodeSettings({}) });
  const call = (request: Api.auth.SendCode | Api.auth.ResendCode): Promise<LoginAnswer<Api.auth.TypeSentCode>> =>
    callForLogin(deps, place, request, signal);
  try {
    const sent =
      former === undefined
        ? await call(first)
        : await call(new Api.auth.ResendCode({ phoneNumber: phone, phoneCodeHash: former.hash })).catch(
            // There is no next way, or the former code is over.
            (error: unknown) => {
              if (error instanceof TelegramError && error.waitSeconds === undefined) return call(first);
              throw error;
            },
          );
    return sentStep(sent);
  } catch (error) {
    throw isNamed(error, phoneRefusals) ? phoneCannot(error.errorName) : error;
  }
}

function sentStep({ answer, connection }: LoginAnswer<Api.auth.TypeSentCode>): LoginStep {
  if (answer === 'password') return { stage: 'password', connection };
  if (answer instanceof Api.auth.SentCodeSuccess) return authorizedStep({ answer: answer.authorization, connection });
  connection.close();
  if (answer.type instanceof Api.auth.SentCodeTypeSetUpEmailRequired)
    throw phoneCannot('a login e-mail has to be set up in an app first');
  return { stage: 'code', to: channels[answer.type.className] ?? 'app', hash: answer.phoneCodeHash };
}

/** @throws {LoginImpossibleError} no account has this number */
function authorizedStep({ answer, connection }: LoginAnswer<Api.auth.TypeAuthorization>): LoginStep {
  if (answer instanceof Api.auth.AuthorizationSignUpRequired) {
    connection.close();
    throw needsAccount();
  }
  return { stage: answer === 'password' ? 'password' : 'complete', connection };
}

/**
 * Logs in with a code (https://core.telegram.org/method/auth.signIn).
 * @returns `rejected`: it is the wrong one; `expired`: it would be the right one
 * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
 */
export async function signIn(
  deps: LoginCallDeps,
  place: LoginPlace,
  { phone, hash, to }: SentLoginCode,
  code: string,
  signal: LightAbortSignal,
): Promise<LoginStep | 'rejected' | 'expired'> {
  const proof = to === 'email' ? { emailVerification: new Api.EmailVerificationCode({ code }) } : { phoneCode: code };
  const request = new Api.auth.SignIn({ phoneNumber: phone, phoneCodeHash: hash, ...proof });
  try {
    return authorizedStep(await callForLogin(deps, place, request, signal));
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    switch (error.errorName) {
      case 'PHONE_CODE_INVALID':
      case 'PHONE_CODE_EMPTY':
      case 'CODE_INVALID':
        return 'rejected';
      case 'PHONE_CODE_EXPIRED':
      case 'EMAIL_VERIFY_EXPIRED':
        return (await stepNow(deps, place, signal)) ?? 'expired';
      default:
        throw isNamed(error, phoneRefusals) ? phoneCannot(error.errorName) : error;
    }
  }
}

/** Whether a code was accepted before: the answer was lost, or the process ended before it was stored. */
async function stepNow(
  deps: LoginCallDeps,
  place: LoginPlace,
  signal: LightAbortSignal,
): Promise<LoginStep | undefined> {
  try {
    const { answer, connection } = await callForLogin(deps, place, new Api.updates.GetState(), signal);
    return { stage: answer === 'password' ? 'password' : 'complete', connection };
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
}

/**
 * Logs in a bot (https://core.telegram.org/method/auth.importBotAuthorization).
 * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
 */
export async function logInBot(
  deps: LoginCallDeps,
  place: LoginPlace,
  botAuthToken: string,
  signal: LightAbortSignal,
): Promise<LoginStep> {
  const { apiId, apiHash } = deps.network;
  const request = new Api.auth.ImportBotAuthorization({ flags: 0, apiId, apiHash, botAuthToken });
  try {
    return { ...authorizedStep(await callForLogin(deps, place, request, signal)), isBot: true } as LoginStep;
  } catch (error) {
    throw isNamed(error, tokenRefusals) ? new LoginImpossibleError('invalid bot token') : error;
  }
}
