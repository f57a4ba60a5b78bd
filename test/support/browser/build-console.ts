import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The console as `npm run build` makes it; there already, unless its sources have changed since. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build-console.js']);
}
