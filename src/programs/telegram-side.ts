import { join } from 'node:path';
import { withTimeout } from '../../actors/kit/timeout.ts';
import { device } from '../compose/accounts.ts';
import type { TelegramSide } from '../compose/gateway.ts';
import { type SandboxProcessOptions, startSandboxProcess } from '../compose/sandbox-process.ts';
import { systemClock, systemRandomness } from '../config/clock.ts';
import type { Config } from '../config/config.ts';
import { StartError } from '../errors/gateway-error.ts';
import { DcAddresses } from '../telegram/connection/dc-addresses.ts';
import { Dialler } from '../telegram/connection/dialler.ts';
import { fetchSandboxNetwork, productionNetwork, type TelegramNetwork } from '../telegram/connection/network.ts';
import { checkApplication } from '../telegram/gramjs/login/check-application.ts';

/** A sandbox that is just being started may need a moment. */
const sandboxAnswerMs = 30_000;
const checkMs = 20_000;

/** The Telegram of the configuration; a sandbox is started if there is none. @throws {StartError} */
export async function telegramSide(
  { telegram, dataDir }: Config,
  log: SandboxProcessOptions['log'],
): Promise<TelegramSide> {
  if (telegram.kind === 'telegram') {
    const { apiId, apiHash, usesTestDcs } = telegram;
    return { network: productionNetwork(apiId, apiHash, usesTestDcs) };
  }
  if (telegram.kind === 'sandbox') {
    log.info({ url: telegram.url, seconds: sandboxAnswerMs / 1000 }, 'asking the sandbox how to connect to it');
    return { network: await sandboxNetworkAt(telegram.url), sandboxUrl: telegram.url };
  }
  const own = await startSandboxProcess({ ...telegram, dataDir: join(dataDir, 'sandbox'), clock: systemClock, log });
  return { network: await sandboxNetworkAt(own.url), sandboxUrl: own.url, stop: () => own.stop() };
}

async function sandboxNetworkAt(url: string): Promise<TelegramNetwork> {
  try {
    return await fetchSandboxNetwork(url, systemClock, AbortSignal.timeout(sandboxAnswerMs));
  } catch (error) {
    throw new StartError(`no sandbox answers at ${url}`, { cause: error });
  }
}

/** {@link checkApplication}, within 20 s. @throws {Error} Telegram does not answer */
export function checkNetwork(network: TelegramNetwork, onAnswer?: (dc: number) => void): Promise<string | undefined> {
  const dialler = new Dialler(new DcAddresses(systemClock, network.dcs));
  const deps = { network, dialler, clock: systemClock, random: systemRandomness, device };
  const late = (): Error => new Error(`no answer within ${checkMs / 1000} s`);
  return withTimeout(systemClock, checkMs, late, (signal) => checkApplication(deps, signal, onAnswer));
}
