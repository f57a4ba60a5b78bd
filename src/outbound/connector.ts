import { lookup } from 'node:dns/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { OutboundError } from './outbound-error.ts';
import { publicAddress } from './public-address.ts';

/** Looking the name up and every attempt together. */
const connectTimeoutMs = 10_000;
/** Of a name with more addresses than that the rest is not tried. */
const maxAddresses = 4;
/** As undici's own connector has it. */
const keepAliveProbeMs = 60_000;

/** The addresses of a name, best first. */
type Resolve = (name: string) => Promise<readonly string[]>;

const systemResolve: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

export interface DialDeps {
  clock: Clock;
  /** No address is refused (SR1). */
  allowPrivate: boolean;
  /** The system's, hosts file included, unless given. */
  resolve?: Resolve | undefined;
}

/** Where a connection goes. */
export type Server = Pick<buildConnector.Options, 'protocol' | 'hostname' | 'port' | 'servername'>;

/**
 * Opens a connection, over TLS as the case may be.
 * @param until gives it up, for its reason
 * @throws {OutboundError}
 */
export type Dial = (server: Server, until?: LightAbortSignal) => Promise<Socket>;

/**
 * The guard of SR1, where nothing can pass it by: every connection for every hop is opened here. A name is looked up
 * once, each of its addresses is checked, and the connection goes to a checked address itself: what the name says a
 * moment later does not matter. (A `lookup` hook would not do: Node does not call it for addresses.)
 */
export function createDial({ clock, allowPrivate, resolve = systemResolve }: DialDeps): Dial {
  const open = async (server: Server, signal: LightAbortSignal): Promise<Socket> => {
    const name = server.hostname.replace(/^\[(.*)\]$/, '$1');
    const found = isIP(name) === 0 ? await addressesOf(name, resolve) : [name];
    signal.throwIfAborted();
    const addresses = allowPrivate ? found : mustBePublic(found);
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
  return (server, until) => withTimeout(clock, connectTimeoutMs, tooLong, (signal) => open(server, signal), until);
}

/** For undici, which opens its own. */
export function asConnector(dial: Dial): buildConnector.connector {
  return (options, callback) => {
    const connection = dial(options);
    callbackify(() => connection)((error, socket) => {
      if (error === null) callback(null, socket);
      else callback(error, null);
    });
  };
}

const tooLong = (): OutboundError => new OutboundError('connecting took too long');

async function addressesOf(name: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(name).catch(() => []);
  if (addresses.length === 0) throw new OutboundError('its name could not be resolved');
  return addresses;
}

/** One address that is not public spoils the name: a list of both kinds is how a guard is led astray. */
function mustBePublic(addresses: readonly string[]): readonly string[] {
  return addresses.map((address) => {
    const checked = publicAddress(address);
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
          // Names only: SNI has no addresses (RFC 6066, section 3); a certificate for one is checked against `host`.
          servername: servername ?? (isIP(name) === 0 ? name : ''),
          ALPNProtocols: ['http/1.1'],
        })
      : connectPlain({ host: address, port: Number(port) || 80 });
    const give = (): void => void socket.destroy();
    const fail = (error?: NodeJS.ErrnoException): void => {
      settle();
      reject(new OutboundError(isSecure ? whyNotSecure(error) : unreachable, { cause: error }));
    };
    const closed = (): void => fail();
    const settle = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', give);
      socket.off('error', fail).off('close', closed);
    };
    for (const signal of signals) signal.addEventListener('abort', give, { once: true });
    socket.setKeepAlive(true, keepAliveProbeMs).setNoDelay(true);
    socket.on('error', fail).on('close', closed);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
  });
}

const unreachable = 'could not connect to it';

function whyNotSecure({ code = '' }: NodeJS.ErrnoException = new Error(unreachable)): string {
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return 'its certificate is not trusted';
  return /SSL|TLS|EPROTO/.test(code) ? 'it does not speak TLS' : unreachable;
}
