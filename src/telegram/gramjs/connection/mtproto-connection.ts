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

/** What every connection of the gateway needs and none of them changes. */
export interface MtprotoConnectionDeps {
  network: TelegramNetwork;
  clock: Clock;
  random: Randomness;
  device: { model: string; systemVersion: string; appVersion: string };
  trace?: TraceCall | undefined;
}

export interface MtprotoConnectionOptions {
  dc: number;
  /** 256 bytes; a new key is agreed on where there is none. */
  key?: Buffer;
  onUpdate?: (update: Api.TypeUpdates) => void;
  /** For files: nothing is to be heard on it but answers, of which Telegram needs to be told only as it begins. */
  withoutUpdates?: boolean;
}

/** The connection is gone, or was never there: the same request may be sent again over another one. */
export class ConnectionDownError extends Error {
  override name = 'WireDownError';
  readonly retryable = true;
}

/** TCP and the key exchange of three round trips. */
const openMs = 20_000;
/** Telegram closes the connection when a client has not pinged for so long: the sockets of a dead gateway go away. */
const serverPatienceSeconds = 75;
/** A payload beyond it is refused by Telegram (https://core.telegram.org/mtproto/service_messages#containers). */
const longestRequestBytes = 1_044_000;

/** Connects to one data centre. @throws {ConnectionDownError} {@link LoginLostError} the signal's reason */
export async function openMtprotoConnection(
  setting: MtprotoConnectionDeps,
  options: MtprotoConnectionOptions,
  signal: LightAbortSignal,
): Promise<MtprotoConnection> {
  signal.throwIfAborted();
  const wire = new MtprotoConnection(setting, options);
  try {
    const late = (): Error => new ConnectionDownError('no connection within 20 s');
    await withTimeout(setting.clock, openMs, late, () => wire.open(), signal);
    return wire;
  } catch (error) {
    wire.close();
    throw error;
  }
}

/** One connection, from its opening to its end: it is never repaired, the next one is another object. */
export class MtprotoConnection {
  readonly dc: number;
  /** Resolves when the connection has ended, however it did: the message is the reason. */
  readonly ended: Promise<Error>;
  readonly #setting: MtprotoConnectionDeps;
  readonly #withoutUpdates: boolean;
  readonly #sender: HardenedSender;
  readonly #key: AuthKey;
  #end: (reason: Error) => void = () => undefined;
  #over: Error | undefined;
  #connection: Connection | undefined;
  #known: Buffer | undefined;
  #heard: { at: number; messageId: bigInt.BigInteger } | undefined;

  constructor(setting: MtprotoConnectionDeps, options: MtprotoConnectionOptions) {
    this.dc = options.dc;
    this.#withoutUpdates = options.withoutUpdates ?? false;
    this.#setting = setting;
    this.#known = options.key;
    this.#key = new AuthKey();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#sender = new HardenedSender(this.#key, options.dc, {
      heard: (messageId) => {
        this.#heard = { at: setting.clock.now(), messageId };
      },
      update: (update) => options.onUpdate?.(update),
      broken: (reason) => this.#finish(new ConnectionDownError(reason)),
      keyUnknown: () => this.#finish(new LoginLostError('AUTH_KEY_INVALID')),
    });
  }

  async open(): Promise<void> {
    if (this.#known !== undefined) await this.#key.setKey(this.#known);
    this.#connection = tcpConnectionTo(this.#setting.network, this.dc);
    const connected = await this.#sender.connect(this.#connection, false);
    if (this.#over !== undefined) throw this.#over;
    if (!connected) throw new ConnectionDownError('unreachable');
  }

  /** The 256 bytes that everything on this connection is encrypted with. */
  get key(): Buffer {
    return this.#key.getKey() ?? Buffer.alloc(0);
  }

  /** When anything last arrived, on the gateway's clock; undefined before the first answer. */
  get lastHeardAt(): number | undefined {
    return this.#heard?.at;
  }

  /** A time of the server's clock (seconds) on the gateway's clock (milliseconds). */
  toGatewayTime(serverSeconds: number): number {
    if (this.#heard === undefined) return serverSeconds * 1000;
    // The upper half of a message's ID (https://core.telegram.org/mtproto/description#message-identifier-msg-id).
    const then = this.#heard.messageId.shiftRight(32).toJSNumber();
    return this.#heard.at + (serverSeconds - then) * 1000;
  }

  /** The first request on a connection: it tells Telegram the layer and the device around it. */
  introduce<R extends Api.AnyRequest>(query: R): Promise<R['__response']> {
    const { network, device } = this.#setting;
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

  /** @throws {TelegramError} {@link ConnectionDownError} {@link LoginLostError} No deadline: whoever calls has one. */
  invoke<R extends Api.AnyRequest>(query: R): Promise<R['__response']> {
    return this.#send(query, query.getBytes());
  }

  /** Resolves when Telegram has answered. */
  async ping(): Promise<void> {
    const pingId = bigInt(this.#setting.random.bytes(8).readBigInt64LE());
    await this.invoke(new Api.PingDelayDisconnect({ pingId, disconnectDelay: serverPatienceSeconds }));
  }

  /** Ends it: nothing is left running, whatever is unanswered is rejected. Safe to repeat. */
  close(reason = 'closed'): void {
    this.#finish(new ConnectionDownError(reason));
  }

  #send<R extends Api.AnyRequest>(query: R, bytes: Buffer): Promise<R['__response']> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (bytes.length > longestRequestBytes) return Promise.reject(new RangeError(`${query.className} is too long`));
    const request = new OutgoingRequest(query, bytes) as unknown as Api.AnyRequest;
    return this.#sender.send(request) as Promise<R['__response']>;
  }

  #finish(error: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#sender.rejectPending(error);
    // GramJS closes a socket only if it is connected already; neither promise is about more than bookkeeping.
    void Promise.allSettled([this.#sender.disconnect(), this.#connection?.socket.close()]);
    this.#end(error);
  }
}
