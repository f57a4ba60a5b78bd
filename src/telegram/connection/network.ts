import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';

interface DataCentre {
  id: number;
  host: string;
  port: number;
}

/** The servers to connect to, and the application's ID and hash. */
export interface TelegramNetwork {
  apiId: number;
  apiHash: string;
  /** PEM of an RSA key of the servers, in addition to the library's keys. */
  publicKey?: string;
  dcs: readonly DataCentre[];
  /** The data centre that a session without a login connects to first. */
  homeDc: number;
}

/**
 * Telegram's own data centres, as its apps ship them
 * (https://github.com/telegramdesktop/tdesktop/blob/dev/Telegram/SourceFiles/mtproto/mtproto_dc_options.cpp).
 */
const productionDcs: readonly DataCentre[] = [
  { id: 1, host: '149.154.175.50', port: 443 },
  { id: 2, host: '149.154.167.51', port: 443 },
  { id: 3, host: '149.154.175.100', port: 443 },
  { id: 4, host: '149.154.167.91', port: 443 },
  { id: 5, host: '149.154.171.5', port: 443 },
];

const homeDc = 2;

/** The real Telegram, with an application's ID and hash from https://my.telegram.org. */
export function productionNetwork(apiId: number, apiHash: string): TelegramNetwork {
  return { apiId, apiHash, dcs: productionDcs, homeDc };
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
    !list.every(isDataCentre)
  ) {
    throw new MalformedNetworkError('the answer of GET /connection is not that of a sandbox');
  }
  return {
    apiId,
    apiHash,
    publicKey,
    dcs: list,
    homeDc: list.find(({ id }) => id === homeDc)?.id ?? list[0]?.id ?? homeDc,
  };
}

function isDataCentre(value: unknown): value is DataCentre {
  const { id, host, port } = Object(value) as Record<string, unknown>;
  return typeof id === 'number' && typeof host === 'string' && typeof port === 'number';
}

class MalformedNetworkError extends Error {
  override name = 'MalformedNetworkError';
}
