import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';

/** An address of a data centre. */
export interface DcAddress {
  /** The number of the data centre. */
  id: number;
  /** IPv4 or IPv6. */
  host: string;
  port: number;
  /** The data centre listens there on no other port. */
  onlyThisPort?: boolean;
  /** The port is not one that Telegram told, but another of its usual ones. */
  isGuess?: boolean;
}

/** The servers to connect to, and the application's ID and hash. */
export interface TelegramNetwork {
  apiId: number;
  apiHash: string;
  /** PEM of an RSA key of the servers, in addition to the library's keys. */
  publicKey?: string;
  /** Several of a data centre are tried in turn. */
  dcs: readonly DcAddress[];
  /** They are Telegram's test servers. */
  isTest?: boolean;
  /** The data centre that a session without a login connects to first. */
  homeDc: number;
}

const at = (id: number, ...hosts: string[]): DcAddress[] => hosts.map((host) => ({ id, host, port: 443 }));

/**
 * Telegram's own data centres, IPv4 and IPv6, as its apps ship them
 * (https://github.com/telegramdesktop/tdesktop/blob/dev/Telegram/SourceFiles/mtproto/mtproto_dc_options.cpp).
 */
const productionDcs: readonly DcAddress[] = [
  ...at(1, '149.154.175.50', '2001:b28:f23d:f001::a'),
  ...at(2, '149.154.167.51', '2001:67c:4e8:f002::a'),
  ...at(3, '149.154.175.100', '2001:b28:f23d:f003::a'),
  ...at(4, '149.154.167.91', '2001:67c:4e8:f004::a'),
  ...at(5, '149.154.171.5', '2001:b28:f23f:f005::a'),
];

/** Telegram's test data centres (`kBuiltInDcsTest` and `kBuiltInDcsIPv6Test` of the same file): accounts of their own. */
const testDcs: readonly DcAddress[] = [
  ...at(1, '149.154.175.10', '2001:b28:f23d:f001::e'),
  ...at(2, '149.154.167.40', '2001:67c:4e8:f002::e'),
  ...at(3, '149.154.175.117', '2001:b28:f23d:f003::e'),
];

const homeDc = 2;

/** The real Telegram, with an application's ID and hash from https://my.telegram.org. */
export function productionNetwork(apiId: number, apiHash: string, usesTestDcs = false): TelegramNetwork {
  return { apiId, apiHash, dcs: usesTestDcs ? testDcs : productionDcs, isTest: usesTestDcs, homeDc };
}

const retryMs = 250;
const answerTimeoutMs = 5_000;

/**
 * Reads how to connect to a sandbox (`GET /connection`), and retries until it answers.
 * @throws the signal's reason: only the signal limits the wait
 */
export async function fetchSandboxNetwork(url: string, clock: Clock, signal: AbortSignal): Promise<TelegramNetwork> {
  const address = new URL('/connection', url);
  for (;;) {
    try {
      const response = await fetch(address, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      if (response.ok) return sandboxNetwork(await response.json());
      await response.body?.cancel();
    } catch (error) {
      if (error instanceof MalformedNetworkError) throw error;
      signal.throwIfAborted();
    }
    await sleep(clock, retryMs, signal);
  }
}

/** @throws {Error} the answer is not that of a sandbox */
export function sandboxNetwork(answer: unknown): TelegramNetwork {
  const { apiId, apiHash, publicKey, dcs } = Object(answer) as Record<string, unknown>;
  const list: unknown[] = Array.isArray(dcs) ? dcs : [];
  if (
    typeof apiId !== 'number' ||
    typeof apiHash !== 'string' ||
    typeof publicKey !== 'string' ||
    list.length === 0 ||
    !list.every(isDcAddress)
  ) {
    throw new MalformedNetworkError('the answer of GET /connection is not that of a sandbox');
  }
  return {
    apiId,
    apiHash,
    publicKey,
    dcs: list.map(({ id, host, port }) => ({ id, host, port, onlyThisPort: true })),
    homeDc: list.find(({ id }) => id === homeDc)?.id ?? list[0]?.id ?? homeDc,
  };
}

export function isDcAddress(value: unknown): value is DcAddress {
  const { id, host, port } = Object(value) as Record<string, unknown>;
  return typeof id === 'number' && typeof host === 'string' && typeof port === 'number';
}

class MalformedNetworkError extends Error {
  override name = 'MalformedNetworkError';
}
