import type { KeyedCallOptions } from './calls/call-options.ts';
import { type OperationsClass, operationsClass } from './calls/operations.ts';
import { requestOf } from './calls/request-of.ts';
import type { Transport } from './calls/transport.ts';
import { SessionNotConnectedError } from './errors/errors.ts';
import { sessionRoutes } from './generated/routes.ts';
import type { OutgoingMessage, SendMessageResponse, Session, SessionOperations } from './generated/types.ts';
import { type LoginOptions, waitForLogin } from './login/wait-for-login.ts';

/** What names a session, and opens it. */
export interface SessionCredentials {
  /** Main ID of the session. */
  id: string;
  /** Its secret, which is shown once: keep it where you keep passwords. Not needed with a key that has the scope `accounts`. */
  sessionId?: string;
}

/** A message that was sent. */
export type SentMessage = SendMessageResponse & { messageId: string };

const Operations = operationsClass(sessionRoutes) as OperationsClass<SessionOperations>;

/** One logged-in account: a method for each endpoint that takes the headers `id` and `session-id`. */
export class GatewaySession extends Operations {
  /** Main ID of the session. */
  readonly id: string;
  /** Its secret: keep it with `id`, and open the session again with `gateway.session({ id, sessionId })`. */
  declare readonly sessionId: string;

  constructor(transport: Transport, { id, sessionId = '' }: SessionCredentials) {
    const headers: Record<string, string> = { id, ...(sessionId === '' ? {} : { 'session-id': sessionId }) };
    const caller = { transport, headers };
    super({
      ...caller,
      // A session that waits for its QR code, a password or a code is not connected until someone acts.
      isInVain: async (error) => {
        if (!(error instanceof SessionNotConnectedError)) return false;
        const request = requestOf(caller, { method: 'GET', path: '/session', mark: '-' }, undefined, undefined);
        const state = (await transport.json(request)) as Session;
        return state.qrcode !== '' || state.isPasswordRequired || state.isCodeRequired;
      },
    });
    this.id = id;
    // Not shown where the session is printed.
    Object.defineProperty(this, 'sessionId', { value: sessionId });
  }

  /**
   * Waits until the account is logged in: shows the QR code, and asks for the password or the code where one is needed.
   * @example await session.waitForLogin({ onQr: (qr) => console.log(qr.text) })
   * @throws {LoginError} if the QR code is not scanned in time (3 minutes), or a password is needed and none is given
   */
  waitForLogin(options: LoginOptions = {}): Promise<Session> {
    return waitForLogin(this, options);
  }

  /**
   * Sends a message to one of `user`, `username`, `phone`, `group` and `channel`: what else it needs follows from its `type`.
   * It is sent once, also if it has to be repeated.
   * @example await session.send({ username: 'bob', type: 'text', text: 'Hello' })
   * @throws {GatewayError} whose `idempotencyKey` sends it later, once at most
   */
  send<Message extends OutgoingMessage>(
    message: Message,
    options?: KeyedCallOptions,
  ): Promise<Message extends { sendAt: string } ? SendMessageResponse : SentMessage> {
    return this.sendMessage(message, options) as Promise<SentMessage>;
  }
}
