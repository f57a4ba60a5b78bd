import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { FairGate, type FairTurn } from '../../actors/kit/fair-gate.ts';
import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { IsAllowedHost } from './allowed-hosts.ts';
import { createNames, type Resolve } from './names.ts';
import { OutboundError } from './outbound-error.ts';
import { publicAddress } from './public-address.ts';

/** The lookup of the name, its wait for a turn included, and all attempts together (SR1). */
const connectTimeoutMs = 10_000;
/** Further addresses of a name are not tried. */
const maxAddresses = 4;
/** The default of undici's own connector. */
const keepAliveProbeMs = 60_000;

/**
 * Of one session, at the same time: a name server that never answers delays its own session alone (NB1.4), and of that one
 * webhook (EV2.2).
 */
const lookupsPerSession = 2;
/** Each waits for 10 s at the most. More than the deliveries and sends that a session has under way. */
const maxWaitingLookups = 64;

export interface DialDeps {
  clock: Clock;
  /** Connect to any address, private ones included (SR1). */
  allowPrivate: boolean;
  /** Hosts on private addresses that may be connected to all the same. Default: none. */
  isAllowedHost?: IsAllowedHost | undefined;
  /** Default: see `names.ts`. */
  resolve?: Resolve | undefined;
}

/** Whose request it is: a session's, and perhaps one of its webhooks'. */
export type RequestOf = Pick<FairTurn, 'sessionId' | 'of'>;

/** Where a connection goes. */
type Server = Pick<buildConnector.Options, 'protocol' | 'hostname' | 'port' | 'servername'>;

/**
 * Opens a connection, over TLS for `https:`.
 * @param whose request it is for
 * @param until aborts the attempt
 * @throws {OutboundError} @throws {GateFullError} too many names of the session are being looked up
 * @throws the reason of `until`
 */
export type Dial = (server: Server, whose: RequestOf, until?: LightAbortSignal) => Promise<Socket>;

/**
 * The guard of SR1. Nothing bypasses it: every connection, of every redirect, is opened here. A name is looked up once,
 * each of its addresses is checked, and the connection goes to a checked address itself, so a second lookup with another
 * result cannot matter (DNS rebinding). A `lookup` hook would not be enough: Node does not call it for literal addresses.
 */
export function createDial({ clock, allowPrivate, isAllowedHost, resolve = createNames() }: DialDeps): Dial {
  const lookups = new FairGate({
    what: 'look-ups of names',
    places: Infinity,
    placesPerSession: lookupsPerSession,
    maxWaitingPerSession: maxWaitingLookups,
  });
  const lookUp = (name: string, whose: RequestOf, signal: LightAbortSignal): Promise<readonly string[]> =>
    lookups.run(whose, () => addressesOf(name, resolve, signal), signal);
  const open = async (server: Server, whose: RequestOf, signal: LightAbortSignal): Promise<Socket> => {
    const name = server.hostname.replace(/^\[(.*)\]$/, '$1');
    const found = isIP(name) === 0 ? await lookUp(name, whose, signal) : [name];
    signal.throwIfAborted();
    const addresses = allowPrivate ? found : mustBeAllowed(name, found, isAllowedHost);
    let failure: unknown;
    for (const address of addresses.slice(0, maxAddresses)) {
      try {
        const attemptMs = connectTimeoutMs / Math.min(addresses.length, maxAddresses);
        return await withTimeout(clock, attemptMs, tooLong, (late) => connect(address, name, server, [signal, late]));
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure;
  };
  return (server, whose, until) =>
    withTimeout(clock, connectTimeoutMs, tooLong, (signal) => open(server, whose, signal), until);
}

/**
 * The form in which undici's clients take it.
 * @param whose asked at each connection
 * @param until ends what is being opened
 * @param onOpen called with each socket before the client gets it
 */
export function asConnector(
  dial: Dial,
  whose: () => RequestOf,
  until: LightAbortSignal,
  onOpen: (socket: Socket) => void = () => {},
): buildConnector.connector {
  return (server, callback) => {
    const opening = dial(server, whose(), until);
    // A throw of undici's own within the callback is not a rejection of ours.
    callbackify(() => opening)((error, socket) => {
      if (error !== null) return callback(error, null);
      onOpen(socket);
      callback(null, socket);
    });
  };
}

const tooLong = (): OutboundError => new OutboundError('connecting took too long');

async function addressesOf(name: string, resolve: Resolve, signal: LightAbortSignal): Promise<readonly string[]> {
  const addresses = await resolve(name, signal).catch(() => []);
  if (addresses.length === 0) throw new OutboundError('its name could not be resolved');
  return addresses;
}

/**
 * A name is refused if one of its addresses is neither public nor listed: lists of both kinds are a known way around a
 * guard.
 */
function mustBeAllowed(
  name: string,
  addresses: readonly string[],
  isAllowedHost: IsAllowedHost = () => false,
): readonly string[] {
  return addresses.map((address) => {
    const checked = isAllowedHost(name, address) ? address : publicAddress(address);
    if (checked === undefined) throw new OutboundError('its address is not public');
    return checked;
  });
}

function connect(
  address: string,
  name: string,
  { protocol, port, servername }: Server,
  signals: readonly LightAbortSignal[],
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const isSecure = protocol === 'https:';
    const socket = isSecure
      ? connectTls({
          host: address,
          port: Number(port) || 443,
          // SNI holds names only (RFC 6066, section 3). The certificate of an address is checked against `host`.
          servername: servername ?? (isIP(name) === 0 ? name : ''),
          ALPNProtocols: ['http/1.1'],
        })
      : connectPlain({ host: address, port: Number(port) || 80 });
    const abort = (): void => void socket.destroy();
    const fail = (error?: NodeJS.ErrnoException): void => {
      settle();
      reject(new OutboundError(isSecure ? tlsFailure(error) : unreachable, { cause: error }));
    };
    const closed = (): void => fail();
    const settle = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
      socket.off('error', fail).off('close', closed);
    };
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
    socket.setKeepAlive(true, keepAliveProbeMs).setNoDelay(true);
    socket.on('error', fail).on('close', closed);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
  });
}

const unreachable = 'could not connect to it';

function tlsFailure({ code = '' }: NodeJS.ErrnoException = new Error(unreachable)): string {
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return 'its certificate is not trusted';
  return /SSL|TLS|EPROTO/.test(code) ? 'it does not speak TLS' : unreachable;
}
