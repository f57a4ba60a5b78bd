import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Linux's disk that is always full. */
const fullDisk = '/dev/full';

describe.skipIf(!existsSync(fullDisk))('a log that cannot be written', () => {
  it('neither ends the program nor keeps it from ending', async () => {
    const log = new URL('../../../src/config/log.ts', import.meta.url).href;
    const clock = new URL('../../../src/config/clock.ts', import.meta.url).href;
    const program = `
      import { createLog } from ${JSON.stringify(log)};
      import { systemClock } from ${JSON.stringify(clock)};
      const log = createLog('info', systemClock);
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

describe('lines that wait to be written together', () => {
  it.each([
    ["log.info({}, 'one'); log.info({}, 'two'); process.exit(0);", ['one', 'two']],
    ["log.info({}, 'one'); log.fatal({}, 'two'); process.kill(process.pid, 'SIGTERM');", ['one', 'two']],
    ["log.info({}, 'one'); setTimeout(() => log.info({}, 'two'), 1);", ['one', 'two']],
  ])('[OP7.1] are written where the program ends: %s', async (what, messages) => {
    const from = (module: string): string =>
      JSON.stringify(new URL(`../../../src/config/${module}.ts`, import.meta.url).href);
    const program = `
      import { createLog } from ${from('log')};
      import { systemClock } from ${from('clock')};
      const log = createLog('info', systemClock);
      setTimeout(() => { ${what} }, 50);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let written = '';
    child.stdout.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
    await once(child, 'close');
    const lines = written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; time: string; msg: string });
    expect(lines.map(({ msg }) => msg)).toEqual(messages);
    // By name and in ISO 8601: what collectors of logs read without being told how.
    expect(lines.filter(({ level }) => !['info', 'fatal'].includes(level))).toEqual([]);
    expect(lines.filter(({ time }) => new Date(time).toISOString() !== time)).toEqual([]);
  });
});
