import { join } from 'node:path';
import { inspect } from 'node:util';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { startGateway, type TelegramSide } from '../../compose/gateway.ts';
import { startSandboxProcess } from '../../compose/sandbox-process.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { type Config, ConfigError, readConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { StartError } from '../../errors/gateway-error.ts';
import { DataDirInUseError } from '../../store/data-dir-lock.ts';
import { MasterKeyMissingError } from '../../store/vault/key-ring.ts';
import { fetchSandboxNetwork, productionNetwork, type TelegramNetwork } from '../../telegram/connection/network.ts';
import { endInOrder, logUnseenRejections } from '../shutdown.ts';
import { welcome } from '../welcome.ts';

/** A sandbox that is just being started may need a moment. */
const sandboxAnswerMs = 30_000;
/** The event loop lags this much only if the machine has far too much to do. */
const maxLagMs = 1_000;

export function startCommand(): Command {
  return new Command('start')
    .description('run the gateway; .env.example and README.md list its settings')
    .action(() => start().catch(fail));
}

async function start(): Promise<void> {
  const config = readConfig(readEnvironment());
  const log = createLog(config.logLevel, systemClock);
  logUnseenRejections(log);
  const gateway = await startGateway({
    config,
    clock: systemClock,
    randomness: systemRandomness,
    log,
    telegram: () => telegramSide(config, log),
    maxLagMs,
  });
  endInOrder(log, () => gateway.close());
  // The event store was unavailable at first, and then not the expected one.
  gateway.started.catch(async (error: unknown) => {
    await gateway.close();
    fail(error);
  });
  process.stderr.write(
    welcome({ ...gateway, pid: process.pid, dataDir: config.dataDir, needsKey: config.apiKey !== undefined }),
  );
}

async function telegramSide({ telegram, dataDir }: Config, log: Logger): Promise<TelegramSide> {
  if (telegram.kind === 'telegram') return { network: productionNetwork(telegram.apiId, telegram.apiHash) };
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

/** For example a port in use, or a directory that cannot be written. Node's message names it. */
const isSystemError = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).syscall === 'string';

/** A fault of the environment is written as its message alone, a defect of the gateway with its stack and causes. */
function fail(error: unknown): never {
  const isPlain =
    error instanceof ConfigError ||
    error instanceof DataDirInUseError ||
    error instanceof MasterKeyMissingError ||
    error instanceof StartError ||
    isSystemError(error);
  process.stderr.write(`${isPlain ? (error as Error).message : inspect(error)}\n`);
  process.exit(1);
}
