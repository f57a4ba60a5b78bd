import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import { systemClock, systemRandomness } from '../../config/clock.ts';
import { type Config, ConfigError, readConfig, readEnvironment } from '../../config/config.ts';
import { nameOfStore, parseStoreUrl } from '../../config/store-url.ts';
import { mustBePrograms, programSearch } from '../../media/outgoing/ffmpeg-programs.ts';
import { openStoreForReading } from '../../store/events/open-store.ts';
import { describeRefusal } from '../../telegram/login/login-refused.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';
import { checkNetwork, telegramSide } from '../telegram-side.ts';

const storeMs = 10_000;
const silentLog = { info: () => undefined, error: () => undefined };

export function checkCommand(): Command {
  return new Command('check')
    .description(
      'check settings, event store, FFmpeg, Telegram and the API ID, without a login; exit code 1 if one fails',
    )
    .option('--json', 'print each line as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      runCommand({ run: () => check(sayer(json)), isPlain: () => false, secrets: () => new Map() }),
    );
}

/** Writes whether a part is fine; returns that. */
type Say = (isFine: boolean, line: string) => boolean;

/** A line for each part, as soon as it is checked. */
async function check(say: Say): Promise<number> {
  let config: Config;
  try {
    config = readConfig(readEnvironment());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) say(false, `setting ${fault}`);
    return exitCodes.found;
  }
  say(true, 'settings');
  const results = [
    await part(say, 'event store', () => checkStore(config)),
    await part(say, 'FFmpeg', () => checkPrograms(config)),
    ...(await checkTelegram(config, say)),
  ];
  return results.every(Boolean) ? exitCodes.fine : exitCodes.found;
}

/** @param work resolves with what was found @returns whether it is fine */
async function part(say: Say, name: string, work: () => Promise<string>): Promise<boolean> {
  try {
    return say(true, `${name}: ${await work()}`);
  } catch (error) {
    return say(false, `${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const sayer =
  (isJson: boolean): Say =>
  (isFine, line) => {
    const text = line.replaceAll('\n', ' ');
    printResult(isJson, { isFine, text }, `${isFine ? 'ok   ' : 'FAIL '} ${text}`);
    return isFine;
  };

async function checkStore({ eventStoreUrl: url, streamPrefix }: Config): Promise<string> {
  const place = parseStoreUrl(url);
  const name = nameOfStore(url);
  if (place.kind === 'sqlite' && !existsSync(place.file)) return `${name} is created at the first start`;
  const options = { clock: systemClock, randomness: systemRandomness, streamPrefix };
  const store = await openStoreForReading(url, options);
  const late = (): Error => new Error(`${name} does not answer`);
  try {
    await withTimeout(systemClock, storeMs, late, () => store.last('check'));
  } catch {
    // The client's own error may name a password.
    throw late();
  } finally {
    await store.close();
  }
  return `${name} answers`;
}

async function checkPrograms(config: Config): Promise<string> {
  mustBePrograms(config);
  const { ffmpeg, ffprobe } = await programSearch(config, () => undefined)();
  if (ffmpeg === undefined || ffprobe === undefined) {
    throw new Error('ffmpeg or ffprobe is missing; videos and music are sent as they are described');
  }
  return `${ffmpeg}, ${ffprobe}`;
}

async function checkTelegram(config: Config, say: Say): Promise<boolean[]> {
  if (config.telegram.kind === 'own-sandbox') return [say(true, 'Telegram: no API ID is set, start runs a sandbox')];
  let hasAnswered = false;
  try {
    const { network } = await telegramSide(config, silentLog);
    const refusal = await checkNetwork(network, (dc) => {
      hasAnswered = say(true, `Telegram: data centre ${dc} answers`);
    });
    return [say(refusal === undefined, refusal === undefined ? 'API ID' : `API ID: ${describeRefusal(refusal)}`)];
  } catch (error) {
    return [say(false, `${hasAnswered ? 'API ID' : 'Telegram'}: ${(error as Error).message}`)];
  }
}
