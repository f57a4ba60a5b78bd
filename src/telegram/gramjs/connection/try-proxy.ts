import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import { ProxyUnusableError } from '../../../../actors/ports/telegram-session.ts';
import { proxyFailureOf, proxyFailures } from '../../proxy/proxy-error.ts';
import type { Route } from '../../proxy/route.ts';
import { type MtprotoConnectionDeps, openMtprotoConnection } from './mtproto-connection.ts';

/** Limit for a turn to connect, the connection to the proxy, and the exchange of a key. */
const trialMs = 30_000;
const noAnswer = (): Error => new TimeoutError('no answer');

/**
 * Reaches Telegram along a route by the exchange of a key, which is used for nothing else.
 * @param dc default: the one that sessions without a login connect to
 * @throws {ProxyUnusableError} the signal's reason
 */
export async function tryProxy(
  deps: MtprotoConnectionDeps,
  route: Route,
  dc: number | undefined,
  signal: LightAbortSignal,
): Promise<void> {
  const options = { dc: dc ?? deps.network.homeDc, isUrgent: () => true };
  const open = async (until: LightAbortSignal): Promise<void> =>
    (await openMtprotoConnection({ ...deps, route }, options, until)).close();
  try {
    await withTimeout(deps.clock, trialMs, noAnswer, open, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new ProxyUnusableError(`proxy cannot be used: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const failure = proxyFailureOf(error);
  if (failure === undefined) return 'Telegram does not answer through it';
  // That its address is not public, for example; such an error names no address.
  const { cause, reason } = failure;
  return cause instanceof Error && cause.name === 'OutboundError' ? cause.message : proxyFailures[reason];
}
