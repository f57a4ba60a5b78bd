import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

/** Linux's disk that is always full. */
const fullDisk = '/dev/full';

describe.skipIf(!existsSync(fullDisk))('a log that cannot be written', () => {
  it('neither ends the program nor keeps it from ending', async () => {
    const log = new URL('../../src/log.ts', import.meta.url).href;
    const program = `
      import { createLog } from ${JSON.stringify(log)};
      const log = createLog('info');
      log.info({}, 'one');
      setTimeout(() => {
        log.info({}, 'two');
        setTimeout(() => {
          process.stderr.write('still here');
          process.exit(0);
        }, 50);
      }, 50);`;
    const stdout = openSync(fullDisk, 'w');
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      stdio: ['ignore', stdout, 'pipe'],
    });
    closeSync(stdout);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ said, code }).toEqual({ said: 'still here', code: 0 });
  });
});
