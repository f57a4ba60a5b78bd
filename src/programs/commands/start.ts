import { inspect } from 'node:util';
import { Command } from 'commander';
import { type Gateway, startGateway } from '../../compose/gateway.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { readConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { describeRefusal } from '../../telegram/login/login-refused.ts';
import { isHangUpIgnored } from '../hang-up.ts';
import { printResult } from '../print-result.ts';
import { endInOrder, ignoreOutputErrors, logUnseenRejections } from '../shutdown.ts';
import { describeStartFault } from '../start-fault.ts';
import { checkNetwork, telegramSide } from '../telegram-side.ts';
import { welcome } from '../welcome.ts';

/** The event loop lags this much only if the machine has far too much to do. */
const maxLagMs = 1_000;
/** OP2: how long clients are told to close their connections. */
const refusingMs = 1_000;

export function startCommand(): Command {
  return new Command('start')
    .description('run the gateway; .env.example and docs/configuration.md list its settings')
    .option('--json', 'print where it listens as a line of JSON, among those of the log')
    .action(({ json = false }: { json?: boolean }) => start(json).catch(fail));
}

async function start(isJson: boolean): Promise<void> {
  const config = readConfig(readEnvironment());
  ignoreOutputErrors();
  const log = createLog(config.logLevel, systemClock, () => hurry('nobody reads standard output any more'));
  logUnseenRejections(log);
  // A start that is interrupted has nothing to finish: it is prepared for kill -9.
  let close: (drainMs?: number) => Promise<void> = () => Promise.resolve();
  const hurry = endInOrder({
    clock: systemClock,
    log,
    close: (drainMs) => close(drainMs),
    ignoresHangUp: isHangUpIgnored(),
  });
  const gateway = await startGateway({
    config,
    clock: systemClock,
    randomness: systemRandomness,
    log,
    telegram: () => telegramSide(config, log),
    maxLagMs,
  });
  close = (drainMs) => gateway.close({ maxMs: drainMs, refusingMs });
  const giveUp = async (error: unknown, end: () => Promise<void>): Promise<never> => {
    const reason = describeStartFault(error);
    log.fatal(reason === undefined ? { err: error } : { reason }, 'the gateway cannot go on');
    await end().catch((err: unknown) => log.error({ where: 'process', err }, 'the gateway did not close in order'));
    return fail(error);
  };
  // The event store was unavailable at first, and then not the expected one.
  gateway.started.catch((error: unknown) => giveUp(error, () => gateway.close()));
  // Nothing can be finished without the store, and nothing may be concluded from what it has lost.
  gateway.failed.catch((error: unknown) => giveUp(error, () => gateway.crash()));
  const { url, sandboxUrl } = gateway;
  const facts = { url, pid: process.pid, dataDir: config.dataDir, sandboxUrl, needsKey: config.apiKey !== undefined };
  if (isJson) printResult(true, facts, '');
  else process.stderr.write(welcome(facts));
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

/** A fault of the environment is written as a sentence, a defect of the gateway with its stack and causes. */
function fail(error: unknown): never {
  process.stderr.write(`${describeStartFault(error) ?? inspect(error)}\n`);
  process.exit(1);
}
