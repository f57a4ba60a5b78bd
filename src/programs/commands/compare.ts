import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { compareWithSandbox } from '../../compose/compare.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { type Config, readConfig, readEnvironment } from '../../config/config.ts';
import { CommandError } from '../../errors/command-error.ts';
import { qrText } from '../../http/session/qr-text.ts';
import { fetchSandboxNetwork, productionNetwork, type TelegramNetwork } from '../../telegram/connection/network.ts';
import { plannedSteps } from '../../telegram/gramjs/compare/run-steps.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';
import { openTerminal } from '../terminal.ts';

interface Options {
  dryRun?: boolean;
  report: string;
  sandbox: string;
  /** A second sandbox that stands for Telegram, to try the command itself. */
  telegramSandbox?: string;
  json?: boolean;
}

const answerMs = 10_000;

export function compareCommand(): Command {
  return new Command('compare')
    .description(
      'compare Telegram with the sandbox: log a real account in by QR, make about 40 harmless calls, undo them, log out; ' +
        'exit code 1 if the answers differ in shape',
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--report <file>', 'where the report goes', 'comparison.md')
    .option('--sandbox <url>', 'the control API of a running sandbox', 'http://127.0.0.1:4400')
    .option('--telegram-sandbox <url>', 'ask another sandbox instead of Telegram')
    .option('--json', 'print the differences as JSON, in the last line')
    .action((options: Options) =>
      runCommand({ run: () => run(options), isPlain: () => false, secrets: () => new Map() }),
    );
}

async function run(options: Options): Promise<number> {
  say(explanation(options));
  if (options.dryRun) return exitCodes.fine;
  const telegram = await telegramNetwork(options);
  const sandbox = { network: await sandboxAt(options.sandbox), url: options.sandbox };
  const terminal = openTerminal();
  const stop = new AbortController();
  const end = (): void => stop.abort(new CommandError('broken off'));
  terminal.onEnd(end);
  process.on('SIGINT', end);
  if ((await terminal.ask('Type yes to start: ')).trim() !== 'yes') {
    say('Nothing was done.');
    return exitCodes.fine;
  }
  const { report, differences } = await compareWithSandbox({
    telegram: { network: telegram, onLink: showLink, askPassword: () => terminal.askSecret('Two-step password: ') },
    sandbox,
    clock: systemClock,
    random: systemRandomness,
    signal: stop.signal,
    onProgress: say,
  });
  await writeFile(options.report, report);
  printResult(
    options.json === true,
    { report: options.report, differences },
    `${differences.length} differences; the report is in ${options.report}`,
  );
  return differences.length === 0 ? exitCodes.fine : exitCodes.found;
}

function explanation({ telegramSandbox, sandbox, report }: Options): string {
  const there = telegramSandbox === undefined ? 'Telegram itself' : `the sandbox at ${telegramSandbox}`;
  return [
    `This logs an account in to ${there}: you scan a QR code with its phone. It makes ${plannedSteps.length} calls:`,
    ...plannedSteps.map(({ name, call }) => `  ${call}: ${name}`),
    'Messages are written in Saved Messages and in a group without other members, and deleted again. No other person is',
    `written to. Then the same calls go to the sandbox at ${sandbox}, and the shapes of the answers are compared.`,
    `The report in ${report} has no texts, names, numbers or IDs. The login is stored nowhere, and ends.`,
  ].join('\n');
}

/** @throws {CommandError} no API ID is set */
async function telegramNetwork({ telegramSandbox }: Options): Promise<TelegramNetwork> {
  if (telegramSandbox !== undefined) return sandboxAt(telegramSandbox);
  const { telegram }: Config = readConfig(readEnvironment());
  if (telegram.kind === 'telegram') {
    return productionNetwork(telegram.apiId, telegram.apiHash, telegram.usesTestDcs);
  }
  throw new CommandError('set TELEGRAM_API_ID and TELEGRAM_API_HASH: https://my.telegram.org');
}

async function sandboxAt(url: string): Promise<TelegramNetwork> {
  try {
    return await fetchSandboxNetwork(url, systemClock, AbortSignal.timeout(answerMs));
  } catch (cause) {
    throw new CommandError(`no sandbox answers at ${url}; npm run sandbox starts one`, { cause });
  }
}

function showLink(link: string): void {
  say(`${qrText(link)}\nScan this with the account's phone: Settings > Devices > Link Desktop Device. Or open ${link}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
