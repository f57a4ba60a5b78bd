import type { TlObject } from '../../../../sandbox/rpc.ts';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { RawConnection } from '../../telegram-clients/raw-connection.ts';
import { type ClientKey, shakeHands } from '../../telegram-clients/raw-handshake.ts';
import { RawSession } from '../../telegram-clients/raw-session.ts';
import { control } from '../control-client.ts';
import { loginParams } from '../world-fixture.ts';

/** A logged-in account that makes calls by hand, in any layer, and keeps what it is pushed. */
export class RawLogin {
  readonly #sandbox: Sandbox;
  readonly #layer: number;
  readonly #key: ClientKey;
  #session: RawSession;

  private constructor(sandbox: Sandbox, session: RawSession) {
    this.#sandbox = sandbox;
    this.#session = session;
    this.#layer = session.layer;
    this.#key = session.key;
  }

  /** Logs in by QR. The account must have no password and belong to data centre 2. */
  static async open(sandbox: Sandbox, userId: number, layer: number): Promise<RawLogin> {
    const connection = await RawConnection.open(sandbox.protocol.ports.get(2) ?? 0);
    const login = new RawLogin(
      sandbox,
      new RawSession(connection, await shakeHands(connection, sandbox.protocol), { layer }),
    );
    const { token } = await login.#first({ _: 'auth.exportLoginToken', ...loginParams });
    const link = `tg://login?token=${(token as Buffer).toString('base64url')}`;
    await control(sandbox, 'POST', '/qr/scan', { link, userId });
    await login.call('auth.exportLoginToken', loginParams);
    return login;
  }

  /** @throws if the call is refused */
  async call(method: string, params: object = {}): Promise<TlObject> {
    return this.#result(this.#session.call({ _: method, ...params }));
  }

  /** What was pushed since the last call, in order. */
  async pushed(): Promise<TlObject[]> {
    const messages = await this.#session.untilPong();
    return messages.map(({ object }) => object).filter(({ _: name }) => name.startsWith('update'));
  }

  /** All that was missed since a state of the account, as updates, and the users and chats that they are about. */
  async *missed(state: { pts: number; date: number }): AsyncGenerator<TlObject> {
    for (let { pts, date } = state; ; ) {
      const answer = await this.call('updates.getDifference', { pts, date, qts: 0 });
      if (answer._ === 'updates.differenceEmpty') return;
      const fresh = (answer['new_messages'] as TlObject[]).map((message) => ({ _: 'updateNewMessage', message }));
      yield { ...answer, updates: [...fresh, ...(answer['other_updates'] as TlObject[])] };
      if (answer._ === 'updates.difference') return;
      ({ pts, date } = answer['intermediate_state']);
    }
  }

  close(): void {
    this.#session.connection.close();
  }

  /** Connects again, with the same key: what was pushed meanwhile is lost. */
  async reconnect(): Promise<void> {
    const connection = await RawConnection.open(this.#sandbox.protocol.ports.get(2) ?? 0);
    this.#session = new RawSession(connection, this.#key, { layer: this.#layer });
    await this.#first({ _: 'updates.getState' });
  }

  #first(query: TlObject): Promise<TlObject> {
    return this.#result(this.#session.call(this.#session.withLayer(query)));
  }

  async #result(callId: bigint): Promise<TlObject> {
    const result = (await this.#session.result(callId)) as TlObject;
    if (result._ === 'rpc_error') throw new Error(`${result['error_code']} ${result['error_message']}`);
    return result;
  }
}
