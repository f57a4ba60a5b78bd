import type { CallOptions } from '../calls/call-options.ts';
import { wait } from '../calls/retry.ts';
import { GatewayError, LoginError, SessionNotFoundError } from '../errors/errors.ts';
import type { Session, SessionOperations } from '../generated/types.ts';
import { qrContent } from './qr-content.ts';
import { qrModules } from './qr-modules.ts';
import { qrText } from './qr-text.ts';

/** The QR code of a login, for whatever shows it. */
export interface LoginQr {
  /** For a terminal: `console.log(qr.text)`. */
  text: string;
  /** For a page: `<img src="…">`. */
  dataUri: string;
  /** What the QR code says. On a phone with the app, opening it logs in. */
  link: string;
}

export interface LoginOptions extends CallOptions {
  /** Shows the QR code; called again with each new one, about every 30 seconds. */
  onQr?: (qr: LoginQr) => void | Promise<void>;
  /**
   * The account's two-step password, if it has one. Asked again if it was wrong.
   * @param hint that the account has given, or an empty text
   */
  password?: (hint: string, isAgain: boolean) => string | Promise<string>;
  /** The code that Telegram has sent, of a login by phone number. Asked again if it was wrong. */
  code?: (sentTo: Session['codeSentTo'], isAgain: boolean) => string | Promise<string>;
  /** How often the gateway is asked, in milliseconds. Default: 2,000. */
  pollMs?: number;
}

/** @throws {LoginError} if it cannot go on; {@link SessionNotFoundError} for wrong credentials */
export async function waitForLogin(session: SessionOperations, options: LoginOptions): Promise<Session> {
  const { signal, onQr, pollMs = 2_000 } = options;
  let shown = '';
  let isKnown = false;
  for (;;) {
    const state = await session.getSession(optionsOf(signal)).catch((error: unknown) => {
      throw isKnown && error instanceof SessionNotFoundError ? expired(error) : error;
    });
    isKnown = true;
    if (state.isConnected) return state;
    if (state.isPasswordRequired) await givePassword(session, state, options);
    else if (state.isCodeRequired) await giveCode(session, state, options);
    else {
      if (state.qrcode !== '' && state.qrcode !== shown) {
        shown = state.qrcode;
        await onQr?.(await loginQr(state.qrcode));
      }
      await wait(pollMs, signal);
    }
  }
}

/** @param png base64, as `qrcode` of a session */
export async function loginQr(png: string): Promise<LoginQr> {
  const modules = await qrModules(png);
  return { text: qrText(modules), dataUri: `data:image/png;base64,${png}`, link: qrContent(modules) ?? '' };
}

const optionsOf = (signal: AbortSignal | undefined): CallOptions => (signal ? { signal } : {});

async function givePassword(
  session: SessionOperations,
  { passwordHint }: Session,
  options: LoginOptions,
): Promise<void> {
  const { password: ask, signal } = options;
  if (!ask)
    throw stuck('password_required', `the account has a two-step password${passwordHint && ` (${passwordHint})`}`);
  await until('invalid_password', async (isAgain) => {
    await session.submitPassword({ password: await ask(passwordHint, isAgain) }, optionsOf(signal));
  });
}

async function giveCode(session: SessionOperations, { codeSentTo }: Session, options: LoginOptions): Promise<void> {
  const { code: ask, signal } = options;
  if (!ask) throw stuck('code_required', 'the login waits for the code that Telegram has sent');
  await until('invalid_code', async (isAgain) => {
    await session.submitLoginCode({ code: await ask(codeSentTo, isAgain) }, optionsOf(signal));
  });
}

/** Asks again for what was wrong. What is not expected any more was given by someone else. */
async function until(wrong: string, submit: (isAgain: boolean) => Promise<void>): Promise<void> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      await submit(isAgain);
      return;
    } catch (error) {
      const code = error instanceof GatewayError ? error.code : '';
      if (code === 'login_not_expected') return;
      if (code !== wrong) throw error;
    }
  }
}

const stuck = (code: string, reason: string): LoginError => new LoginError({ code, status: 0, reason });

const expired = ({ status, requestId }: GatewayError): LoginError =>
  new LoginError({ code: 'login_expired', status, reason: 'the login was not finished', requestId });
