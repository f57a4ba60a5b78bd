import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { parseEnv as parse } from 'node:util';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/config/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { runCommandLine, startCommandLine } from '../../support/gateway/command-line.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';

const commands = [
  'start',
  'check',
  'health',
  'keygen',
  'sandbox',
  'backup',
  'restore',
  'copy',
  'replay',
  'export',
  'tell',
  'mcp',
  'compare',
];

describe('telegram-gateway', () => {
  it('[OP9.1] lists its commands with --help', async () => {
    const { code, output } = await runCommandLine('--help', []);
    expect(code).toBe(0);
    for (const command of commands) expect(output).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it('[OP9.1] tells its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runCommandLine('--version', [])).toEqual({ code: 0, output: `${version}\n` });
  });

  it.each(commands)('[OP9.1] describes %s with --help, and does nothing', async (command) => {
    const { code, output } = await runCommandLine(command, ['--help']);
    expect(output).toMatch(new RegExp(`^Usage: telegram-gateway ${command}\\b`));
    expect(code).toBe(0);
  });

  it.each([
    ['start nowhere', 'error: too many arguments'],
    ['begin', "error: unknown command 'begin'"],
    ['start --port 4000', "error: unknown option '--port'"],
    ['restore', 'name the folder of a backup'],
    ['replay --sore x', "error: unknown option '--sore'"],
    ['export', "error: missing required argument 'id'"],
    ['copy --from sqlite:a.db', "error: required option '--to <url>' not specified"],
  ])('[OP9.1] [OP9.2] exits with 2 for: %s', async (line, message) => {
    const { code, output } = await runCommandLine(line, []);
    expect(output).toContain(message);
    expect(code).toBe(2);
  });

  it('[OP9.1] keygen prints keys that the gateway takes, each time others', async () => {
    const { code, output } = await runCommandLine('keygen', []);
    expect(code).toBe(0);
    const config = readConfig(parse(output));
    expect(config.masterKeys).toEqual([expect.any(Buffer)]);
    expect(config.apiKey).toMatch(/^[\w-]{43}$/);
    const other = JSON.parse((await runCommandLine('keygen', ['--json'])).output) as Record<string, string>;
    expect(Object.keys(other)).toEqual(Object.keys(parse(output)));
    expect(other['MASTER_KEY']).not.toBe(parse(output)['MASTER_KEY']);
  });

  it('[OP9.1] sandbox runs until it is told to end', async () => {
    const child = await startCommandLine('sandbox', ['--port', '0', '--dc-port', '0']);
    const [said] = (await once(child.stdout as Readable, 'data')) as [Buffer];
    const url = /http:\S+/.exec(said.toString())?.[0] ?? '';
    expect((await fetch(url)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('[OP9.3] start and sandbox say with --json where they listen', async () => {
    const folder = await createTemporaryFolder();
    const environment = {
      DATA_DIR: folder.path,
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_DC_PORT: '0',
      LOG_LEVEL: 'silent',
    };
    const started = [
      { child: await startCommandLine('start', ['--json'], environment), path: '/health/live' },
      { child: await startCommandLine('sandbox', ['--port', '0', '--dc-port', '0', '--json']), path: '' },
    ];
    try {
      for (const { child, path } of started) {
        const [said] = (await once(child.stdout as Readable, 'data')) as [Buffer];
        const { url } = JSON.parse(said.toString()) as { url: string };
        expect((await fetch(`${url}${path}`)).status).toBe(200);
      }
    } finally {
      for (const { child } of started) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await folder.remove();
    }
  });

  it('[OP9.2] health exits with 1 if no gateway answers', async () => {
    const { code, output } = await runCommandLine('health', [], { PORT: '1' });
    expect(output).toMatch(/^no answer: /);
    expect(code).toBe(1);
  });

  it('[OP9.3] prints a line of JSON for each result with --json', async () => {
    const folder = await createTemporaryFolder();
    try {
      await openSqliteStore({ file: `${folder.path}/events.db`, clock: systemClock }).close();
      const jsonOf = async (command: string, args: string[] = []): Promise<unknown[]> => {
        const environment = { DATA_DIR: folder.path, PORT: '1' };
        const { output } = await runCommandLine(command, [...args, '--json'], environment);
        return output
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown);
      };
      expect(await jsonOf('replay')).toEqual([expect.objectContaining({ events: 0, drift: 0, fault: null })]);
      expect(await jsonOf('check')).toContainEqual({ isFine: true, text: 'settings' });
      expect(await jsonOf('health')).toEqual([{ statusCode: 503, message: expect.stringContaining('no answer') }]);
      const { events } = (await jsonOf('backup', [`${folder.path}/backup`]))[0] as { events: string };
      expect(events).toBe('embedded');
    } finally {
      await folder.remove();
    }
  });
});
