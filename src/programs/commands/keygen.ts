import { Command } from 'commander';
import { systemRandomness } from '../../config/clock.ts';
import { printResult } from '../print-result.ts';

/** 32 bytes: the length of a `MASTER_KEY`, and more than anyone guesses of an `API_KEY`. */
const keyBytes = 32;

export function keygenCommand(): Command {
  return new Command('keygen')
    .description('print new keys as lines of a .env file: API_KEY, MASTER_KEY, MEDIA_LINK_KEYS, METRICS_TOKEN')
    .option('--json', 'print them as JSON')
    .action(({ json = false }: { json?: boolean }) => {
      const key = (encoding: 'base64' | 'base64url'): string => systemRandomness.bytes(keyBytes).toString(encoding);
      const keys = {
        API_KEY: key('base64url'),
        MASTER_KEY: key('base64'),
        MEDIA_LINK_KEYS: key('base64'),
        METRICS_TOKEN: key('base64url'),
      };
      const lines = Object.entries(keys).map(([name, value]) => `${name}=${value}`);
      printResult(json, keys, lines.join('\n'));
    });
}
