import bigInt from 'big-integer';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import type { Connection } from 'telegram/network/connection/Connection.js';
import { LAYER } from 'telegram/tl/AllTLObjects.js';
import { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import type { DialAttempt, Dialler } from '../../connection/dialler.ts';
import { noAnswerReason, rerouted } from '../../connection/end-reasons.ts';
import { watchFirstAnswer } from '../../connection/first-answer.ts';
import type { TelegramNetwork } from '../../connection/network.ts';
import { TelegramError } from '../../port/errors.ts';
import type { TraceCall } from '../../port/trace-call.ts';
import { ProxyError } from '../../proxy/proxy-error.ts';
import type { Route, Routed, Way } from '../../proxy/route.ts';
import { openTunnel, transportOf } from '../../proxy/tunnel.ts';
import { serverTimeOf } from '../library/message-ids.ts';
import { HardenedSender, OutgoingRequest } from '../library/sender.ts';
import { tcpConnectionTo } from '../library/tcp-connection.ts';
import type { TcpSocket } from '../library/tcp-socket.ts';
import { findAddress } from './learn-addresses.ts';

/** The dependencies that all connections share. */
export interface MtprotoConnectionDeps {
  network: TelegramNetwork;
  dialler: Dialler;
  clock: Clock;
  random: Randomness;
  device: { model: string; systemVersion: string; appVersion: string };
  trace?: TraceCall | undefined;
  /** The address of this machine that connections to Telegram begin at (LOCAL_ADDRESS); undefined: the system chooses. */
  localAddress?: string | undefined;
  /** Whether this process acts for the session at this instant (CL3): asked before each write. Default: it does. */
  mayWrite?: (() => boolean) | undefined;
  /** The way that all connections of a session take; without one they are direct. */
  route?: Route | undefined;
}

export interface MtprotoConnectionOptions {
  dc: number;
  /** 256 bytes; without it a new key is exchanged. */
  key?: Buffer;
  onUpdate?: (update: Api.TypeUpdates) => void;
  /** A connection for files: it receives answers only, and says so to Telegram when it opens. */
  withoutUpdates?: boolean;
  /** Whether a request waits for the connection: then it is opened before others. Default: it is not. */
  isUrgent?: () => boolean;
  /** Limit for TCP and the key exchange of three round trips. Default: 20 s. */
  openMs?: number;
}

/** The connection is closed or was never open. The request may be repeated on another one. */
export class ConnectionDownError extends Error {
  override name = 'ConnectionDownError';
  readonly retryable = true;
}

/**
 * The first answer on a connection with a stored key was -404, "not found", in plain text. That the server has
 * forgotten the key is only one of its meanings, and every device on the way can send it: `key-doubt.ts` decides.
 */
export class KeyRefusedError extends ConnectionDownError {
  override name = 'KeyRefusedError';

  constructor() {
    super('key-refused');
  }
}

const keyRefused = -404;

const defaultOpenMs = 20_000;
/** How long a connection may take to be closed by both ends. */
const lingerMs = 2_000;
/** Telegram closes a connection whose client has not pinged for this long, so sockets of a dead gateway go away. */
const serverPatienceSeconds = 75;
/** Telegram refuses a larger payload (https://core.telegram.org/mtproto/service_messages#containers). */
const maxRequestBytes = 1_044_000;
/** Telegram asks for `initConnection` (https://core.telegram.org/api/invoking#saving-client-info). */
const clientForgotten = new Set(['CONNECTION_NOT_INITED', 'CONNECTION_LAYER_INVALID']);

/** Connects to one data centre. @throws {ConnectionDownError} the signal's reason */
export async function openMtprotoConnection(
  deps: MtprotoConnectionDeps,
  options: MtprotoConnectionOptions,
  signal: LightAbortSignal,
): Promise<MtprotoConnection> {
  signal.throwIfAborted();
  const { dc } = options;
  if (deps.dialler.addresses.takeTurnToFind(dc))
    await findAddress(deps, dc, (other) => dialled(deps, { dc: other }, signal), signal);
  return await dialled(deps, options, signal);
}

async function dialled(
  deps: MtprotoConnectionDeps,
  options: MtprotoConnectionOptions,
  signal: LightAbortSignal,
): Promise<MtprotoConnection> {
  const { openMs = defaultOpenMs } = options;
  for (let left = deps.dialler.addresses.count(options.dc) - 1; ; left--) {
    const dial = await deps.dialler.dial(options.dc, signal, options.isUrgent);
    const make = (way?: Way): MtprotoConnection => new MtprotoConnection(deps, options, dial, way);
    const connection = await (deps.route?.take(deps.dialler.addresses.all(options.dc), signal, make) ?? make());
    try {
      const late = (): Error => new ConnectionDownError(`no connection within ${openMs} ms`);
      await withTimeout(deps.clock, openMs, late, () => connection.open(), signal, connection.over);
      return connection;
    } catch (error) {
      if (!signal.aborted) connection.close(noAnswerReason);
      connection.close();
      if (!dial.isUnroutable || left <= 0) throw error;
    }
  }
}

/** An answer to a session with a proxy says nothing about the way of the others. */
const alone = { onReached: () => () => undefined };

/** One connection, from its opening to its end. It is never repaired: the next one is a new object. */
export class MtprotoConnection implements Routed {
  readonly dc: number;
  /** Resolves when the connection has ended, for any reason; the message is the reason. */
  readonly ended: Promise<Error>;
  readonly #over = new LightAbort();
  /** Aborted at the end. A listener that is removed leaves nothing behind, unlike one that is chained to {@link ended}. */
  readonly over: LightAbortSignal = this.#over;
  readonly #deps: MtprotoConnectionDeps;
  readonly #dial: DialAttempt;
  readonly #withoutUpdates: boolean;
  readonly #sender: HardenedSender;
  readonly #key: AuthKey;
  #end: (reason: Error) => void = () => undefined;
  readonly #stopWatching: () => void;
  readonly #way: Way | undefined;
  #proxyFailure: ProxyError | undefined;
  #connection: Connection | undefined;
  #known: Buffer | undefined;
  /** The last message: when it arrived, by both times of the clock, and its ID. */
  #heard: { at: number; elapsed: number; messageId: bigInt.BigInteger } | undefined;

  /** @param way through a proxy; without it, the connection goes to the address of `direct` */
  constructor(deps: MtprotoConnectionDeps, options: MtprotoConnectionOptions, direct: DialAttempt, way?: Way) {
    const dial = way?.attempt ?? direct;
    this.dc = options.dc;
    this.#way = way;
    this.#withoutUpdates = options.withoutUpdates ?? false;
    this.#deps = deps;
    this.#dial = dial;
    this.#known = options.key;
    this.#key = new AuthKey();
    const others = way === undefined ? deps.dialler : alone;
    this.#stopWatching = watchFirstAnswer(deps.clock, others, dial, (reason) => this.close(reason));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#sender = new HardenedSender(this.#key, options.dc, {
      heard: (messageId) => {
        if (this.#heard === undefined) this.#stopWatching();
        this.#heard = { at: deps.clock.now(), elapsed: deps.clock.elapsed(), messageId };
      },
      update: (update) => options.onUpdate?.(update),
      broken: (reason) => {
        dial.refused();
        this.#finish(new ConnectionDownError(reason));
      },
      transportError: (code) => {
        const isKeyRefused = code === keyRefused && this.#known !== undefined && this.#heard === undefined;
        this.#finish(isKeyRefused ? new KeyRefusedError() : new ConnectionDownError(`transport-error${code}`));
      },
    });
  }

  async open(): Promise<void> {
    if (this.#known !== undefined) await this.#key.setKey(this.#known);
    this.#over.throwIfAborted();
    this.#connection = this.#newConnection();
    const connected = await this.#sender.connect(this.#connection, false);
    this.#over.throwIfAborted();
    if (connected) return;
    const cause = this.#proxyFailure;
    if (cause !== undefined) throw new ConnectionDownError(cause.reason, { cause });
    this.#dial.refused();
    throw new ConnectionDownError('unreachable');
  }

  #newConnection(): Connection {
    const { clock, random } = this.#deps;
    const way = this.#way;
    if (way === undefined) return tcpConnectionTo(this.#dial, this.#deps);
    const { proxy, dial } = way;
    return tcpConnectionTo(this.#dial, this.#deps, {
      transport: transportOf(proxy),
      random,
      openTunnel: (signal) =>
        openTunnel({ dial, clock, random }, proxy, this.#dial.address, signal).catch((error: unknown) => {
          if (error instanceof ProxyError) way.failed((this.#proxyFailure = error));
          throw error;
        }),
    });
  }

  /** The 256-byte authorization key of this connection. */
  get key(): Buffer {
    return this.#key.getKey() ?? Buffer.alloc(0);
  }

  /** When anything last arrived, by the clock's `elapsed()`; undefined before the first answer. */
  get lastHeardAt(): number | undefined {
    return this.#heard?.elapsed;
  }

  /** Converts a time of the server's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime(serverSeconds: number): number {
    if (this.#heard === undefined) return serverSeconds * 1000;
    return this.#heard.at + serverSeconds * 1000 - serverTimeOf(this.#heard.messageId);
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
   * Sends a request. If Telegram has forgotten what client this is, it is told again, with the same request.
   * @throws {TelegramError} {@link ConnectionDownError} There is no timeout: the caller has one.
   */
  async invoke<R extends Api.AnyRequest>(query: R): Promise<R['__response']> {
    try {
      return await this.#send(query, query.getBytes());
    } catch (error) {
      if (!(error instanceof TelegramError && clientForgotten.has(error.errorName))) throw error;
      return this.introduce(query);
    }
  }

  /** Resolves when Telegram has answered. */
  async ping(): Promise<void> {
    const pingId = bigInt(this.#deps.random.bytes(8).readBigInt64LE());
    await this.invoke(new Api.PingDelayDisconnect({ pingId, disconnectDelay: serverPatienceSeconds }));
  }

  /** Closes the connection, stops everything it runs and rejects unanswered requests. Safe to repeat. */
  close(reason = 'closed'): void {
    if (reason === noAnswerReason && !this.#over.aborted) this.#dial.silent();
    this.#finish(new ConnectionDownError(reason));
  }

  get gone(): Promise<void> {
    return this.ended.then(() => this.#socket?.gone);
  }

  /** Half-closes the socket, so that the other end is heard to close it as well: a proxy passes that on. */
  async retire(): Promise<void> {
    const socket = this.#socket;
    if (socket !== undefined) socket.lingers = true;
    this.#finish(new ConnectionDownError(rerouted));
    const late = (): Error => new ConnectionDownError('the other end did not close');
    await withTimeout(this.#deps.clock, lingerMs, late, () => this.gone).catch(() => socket?.destroy());
  }

  get #socket(): TcpSocket | undefined {
    return this.#connection?.socket as TcpSocket | undefined;
  }

  #send<R extends Api.AnyRequest>(query: R, bytes: Buffer): Promise<R['__response']> {
    if (this.#over.reason !== undefined) return Promise.reject(this.#over.reason);
    if (bytes.length > maxRequestBytes) return Promise.reject(new RangeError(`${query.className} is too long`));
    const request = new OutgoingRequest(query, bytes) as unknown as Api.AnyRequest;
    return this.#sender.send(request) as Promise<R['__response']>;
  }

  #finish(error: Error): void {
    if (this.#over.aborted) return;
    this.#over.abort(error);
    this.#stopWatching();
    this.#sender.rejectPending(error);
    // GramJS closes a socket only if it is connected; both promises are bookkeeping only.
    void Promise.allSettled([this.#sender.disconnect(), this.#connection?.socket.close()]);
    this.#end(error);
  }
}
