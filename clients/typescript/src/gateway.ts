import type { CallOptions } from './calls/call-options.ts';
import { type OperationsClass, operationsClass } from './calls/operations.ts';
import { requestOf } from './calls/request-of.ts';
import { Transport, type TransportOptions } from './calls/transport.ts';
import { gatewayRoutes } from './generated/routes.ts';
import type { CreatedSession, CreateSessionRequest, GatewayOperations } from './generated/types.ts';
import { GatewaySession, type SessionCredentials } from './session.ts';

/** Where the gateway is, and how it is called. */
export type GatewayOptions = TransportOptions;

const Operations = operationsClass(gatewayRoutes) as OperationsClass<Omit<GatewayOperations, 'createSession'>>;

/**
 * A Telegram session gateway: creates sessions, opens them again, and has a method for each endpoint of the operator.
 * @example const gateway = new Gateway({ baseUrl: 'https://gateway.example', apiKey: process.env.API_KEY })
 */
export class Gateway extends Operations {
  readonly #transport: Transport;

  constructor(options: GatewayOptions = {}) {
    const transport = new Transport(options);
    super({ transport, headers: {} });
    this.#transport = transport;
  }

  /**
   * Creates a session, to be logged in with `waitForLogin`. Keep its `id` and `sessionId`.
   *
   * `POST /session`
   */
  async createSession(request: CreateSessionRequest = {}, options?: CallOptions): Promise<GatewaySession> {
    const route = { method: 'POST', path: '/session', mark: '' };
    const sent = requestOf({ transport: this.#transport, headers: {} }, route, request, options);
    return this.session((await this.#transport.json(sent)) as CreatedSession);
  }

  /** A session that was created before. Nothing is asked of the gateway yet. */
  session(credentials: SessionCredentials): GatewaySession {
    return new GatewaySession(this.#transport, credentials);
  }
}
