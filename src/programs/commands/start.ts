import { inspect } from 'node:util';
import { Command } from 'commander';
import { type Gateway, startGateway } from '../../compose/gateway.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { ConfigError, readConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { StartError } from '../../errors/gateway-error.ts';
import { DataDirInUseError } from '../../store/data-dir-lock.ts';
import { DamagedDatabaseError, NewerDatabaseError } from '../../store/database.ts';
import { MasterKeyMissingError } from '../../store/vault/key-ring.ts';
import { describeRefusal } from '../../telegram/login/login-refused.ts';
import { endInOrder, logUnseenRejections } from '../shutdown.ts';
import { checkNetwork, telegramSide } from '../telegram-side.ts';
import { welcome } from '../welcome.ts';

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
  const giveUp = async (error: unknown, end: () => Promise<void>): Promise<never> => {
    log.fatal({ err: error }, 'the gateway cannot go on');
    await end().catch((err: unknown) => log.error({ err }, 'the gateway did not close in order'));
    return fail(error);
  };
  // The event store was unavailable at first, and then not the expected one.
  gateway.started.catch((error: unknown) => giveUp(error, () => gateway.close()));
  // Nothing can be finished without the store, and nothing may be concluded from what it has lost.
  gateway.failed.catch((error: unknown) => giveUp(error, () => gateway.crash()));
  process.stderr.write(
    welcome({ ...gateway, pid: process.pid, dataDir: config.dataDir, needsKey: config.apiKey !== undefined }),
  );
  await sayRefusal(gateway);
}

/** Said as soon as Telegram has answered: the gateway runs whether or not it does. */
async function sayRefusal({ network, loginRefusals }: Gateway): Promise<void> {
  try {
    const refusal = await checkNetwork(network);
    if (refusal === undefined) return;
    loginRefusals.note(refusal);
    process.stderr.write(`Telegram refuses logins: ${describeRefusal(refusal)}\n`);
  } catch (error) {
    process.stderr.write(`Telegram does not answer: ${(error as Error).message}\n`);
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
    error instanceof DamagedDatabaseError ||
    error instanceof NewerDatabaseError ||
    isSystemError(error);
  process.stderr.write(`${isPlain ? (error as Error).message : inspect(error)}\n`);
  process.exit(1);
}
