import bigInt from 'big-integer';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import type { Connection } from 'telegram/network/connection/Connection.js';
import { LAYER } from 'telegram/tl/AllTLObjects.js';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import type { TelegramNetwork } from '../../connection/network.ts';
import { LoginLostError } from '../../login/login-lost.ts';
import type { TraceCall } from '../../port/trace-call.ts';
import { HardenedSender, OutgoingRequest } from '../library/sender.ts';
import { tcpConnectionTo } from '../library/tcp-connection.ts';

/** The dependencies that all connections share. */
export interface MtprotoConnectionDeps {
  network: TelegramNetwork;
  clock: Clock;
  random: Randomness;
  device: { model: string; systemVersion: string; appVersion: string };
  trace?: TraceCall | undefined;
}

export interface MtprotoConnectionOptions {
  dc: number;
  /** 256 bytes; without it a new key is exchanged. */
  key?: Buffer;
  onUpdate?: (update: Api.TypeUpdates) => void;
  /** A connection for files: it receives answers only, and says so to Telegram when it opens. */
  withoutUpdates?: boolean;
}

/** The connection is closed or was never open. The request may be repeated on another one. */
export class ConnectionDownError extends Error {
  override name = 'ConnectionDownError';
  readonly retryable = true;
}

/** Limit for TCP and the key exchange of three round trips. */
const openMs = 20_000;
/** Telegram closes a connection whose client has not pinged for this long, so sockets of a dead gateway go away. */
const serverPatienceSeconds = 75;
/** Telegram refuses a larger payload (https://core.telegram.org/mtproto/service_messages#containers). */
const maxRequestBytes = 1_044_000;

/** Connects to one data centre. @throws {ConnectionDownError} {@link LoginLostError} the signal's reason */
export async function openMtprotoConnection(
  deps: MtprotoConnectionDeps,
  options: MtprotoConnectionOptions,
  signal: LightAbortSignal,
): Promise<MtprotoConnection> {
  signal.throwIfAborted();
  const connection = new MtprotoConnection(deps, options);
  try {
    const late = (): Error => new ConnectionDownError('no connection within 20 s');
    await withTimeout(deps.clock, openMs, late, () => connection.open(), signal);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** One connection, from its opening to its end. It is never repaired: the next one is a new object. */
export class MtprotoConnection {
  readonly dc: number;
  /** Resolves when the connection has ended, for any reason; the message is the reason. */
  readonly ended: Promise<Error>;
  readonly #deps: MtprotoConnectionDeps;
  readonly #withoutUpdates: boolean;
  readonly #sender: HardenedSender;
  readonly #key: AuthKey;
  #end: (reason: Error) => void = () => undefined;
  #over: Error | undefined;
  #connection: Connection | undefined;
  #known: Buffer | undefined;
  #heard: { at: number; messageId: bigInt.BigInteger } | undefined;

  constructor(deps: MtprotoConnectionDeps, options: MtprotoConnectionOptions) {
    this.dc = options.dc;
    this.#withoutUpdates = options.withoutUpdates ?? false;
    this.#deps = deps;
    this.#known = options.key;
    this.#key = new AuthKey();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#sender = new HardenedSender(this.#key, options.dc, {
      heard: (messageId) => {
        this.#heard = { at: deps.clock.now(), messageId };
      },
      update: (update) => options.onUpdate?.(update),
      broken: (reason) => this.#finish(new ConnectionDownError(reason)),
      keyUnknown: () => this.#finish(new LoginLostError('AUTH_KEY_INVALID')),
    });
  }

  async open(): Promise<void> {
    if (this.#known !== undefined) await this.#key.setKey(this.#known);
    this.#connection = tcpConnectionTo(this.#deps.network, this.dc);
    const connected = await this.#sender.connect(this.#connection, false);
    if (this.#over !== undefined) throw this.#over;
    if (!connected) throw new ConnectionDownError('unreachable');
  }

  /** The 256-byte authorization key of this connection. */
  get key(): Buffer {
    return this.#key.getKey() ?? Buffer.alloc(0);
  }

  /** When anything last arrived, milliseconds on the gateway's clock; undefined before the first answer. */
  get lastHeardAt(): number | undefined {
    return this.#heard?.at;
  }

  /** Converts a time of the server's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime(serverSeconds: number): number {
    if (this.#heard === undefined) return serverSeconds * 1000;
    // The upper half of a message's ID (https://core.telegram.org/mtproto/description#message-identifier-msg-id).
    const then = this.#heard.messageId.shiftRight(32).toJSNumber();
    return this.#heard.at + (serverSeconds - then) * 1000;
  }

  /** Sends the first request of the connection: it tells Telegram the layer and the device. */
  introduce<R extends Api.AnyRequest>(query: R): Promise<R['__response']> {
    const { network, device } = this.#deps;
    const envelope = new Api.InvokeWithLayer({
      layer: LAYER,
      query: new Api.InitConnection({
        apiId: network.apiId,
        deviceModel: device.model,
        systemVersion: device.systemVersion,
        appVersion: device.appVersion,
        systemLangCode: 'en',
        langPack: '',
        langCode: 'en',
        query: this.#withoutUpdates ? new Api.InvokeWithoutUpdates({ query }) : query,
      }),
    });
    return this.#send(query, envelope.getBytes());
  }

  /**
   * @throws {TelegramError} {@link ConnectionDownError} {@link LoginLostError} There is no timeout: the caller has one.
   */
  invoke<R extends Api.AnyRequest>(query: R): Promise<R['__response']> {
    return this.#send(query, query.getBytes());
  }

  /** Resolves when Telegram has answered. */
  async ping(): Promise<void> {
    const pingId = bigInt(this.#deps.random.bytes(8).readBigInt64LE());
    await this.invoke(new Api.PingDelayDisconnect({ pingId, disconnectDelay: serverPatienceSeconds }));
  }

  /** Closes the connection, stops everything it runs and rejects unanswered requests. Safe to repeat. */
  close(reason = 'closed'): void {
    this.#finish(new ConnectionDownError(reason));
  }

  #send<R extends Api.AnyRequest>(query: R, bytes: Buffer): Promise<R['__response']> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (bytes.length > maxRequestBytes) return Promise.reject(new RangeError(`${query.className} is too long`));
    const request = new OutgoingRequest(query, bytes) as unknown as Api.AnyRequest;
    return this.#sender.send(request) as Promise<R['__response']>;
  }

  #finish(error: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#sender.rejectPending(error);
    // GramJS closes a socket only if it is connected; both promises are bookkeeping only.
    void Promise.allSettled([this.#sender.disconnect(), this.#connection?.socket.close()]);
    this.#end(error);
  }
}
