import { execFile } from 'node:child_process';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonClient, pythonWith, runPython } from '../../support/clients/python.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { programOf } from '../../support/repository/programs.ts';

const run = promisify(execFile);
const builder = pythonWith('setuptools', 'wheel', 'pip') ?? '';
const withHttpx = pythonWith('httpx') ?? '';
const mypy = programOf('mypy', 'mypy') ?? '';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder?.remove());

describe('the package of the Python client', () => {
  it('[PY1.11] has the version of the gateway', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await readFile(join(pythonClient, 'telegram_gateway/_settings.py'), 'utf8')).toContain(
      // As Python writes a release candidate (PEP 440).
      `\nVERSION = "${version.replace('-rc.', 'rc')}"\n`,
    );
  });

  it.skipIf(builder === '')('[PY1.11] builds, installs, and is typed and without dependencies', async () => {
    const source = join(folder.path, 'source');
    await cp(pythonClient, source, { recursive: true, filter: (path) => !path.includes('__pycache__') });
    const alone = ['--no-deps', '--no-index', '--disable-pip-version-check'];
    const wheels = join(folder.path, 'wheels');
    await run(builder, ['-m', 'pip', 'wheel', ...alone, '--no-build-isolation', '--wheel-dir', wheels, source]);
    const [wheel = '', ...others] = await readdir(wheels);
    expect({ wheel, others }).toEqual({
      wheel: expect.stringMatching(/^telegram_session_gateway_client-[\d.]+(rc\d+)?-py3-none-any\.whl$/) as string,
      others: [],
    });
    const target = join(folder.path, 'installed');
    await run(builder, ['-m', 'pip', 'install', ...alone, '--target', target, join(wheels, wheel)]);
    const program = [
      'import importlib.metadata, os, telegram_gateway',
      'print(os.path.dirname(telegram_gateway.__file__))',
      'print(importlib.metadata.version("telegram-session-gateway-client") == telegram_gateway.__version__)',
      'print([one for one in importlib.metadata.requires("telegram-session-gateway-client") if "extra" not in one])',
      'print(telegram_gateway.Gateway(http="stdlib"))',
    ];
    const { stdout } = await run(builder, ['-c', program.join('\n')], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], PYTHONPATH: target },
    });
    const installed = join(target, 'telegram_gateway');
    expect(stdout).toBe(`${installed}\nTrue\n[]\nGateway('http://127.0.0.1:3000')\n`);
    expect(await readdir(installed)).toEqual(expect.arrayContaining(['py.typed', 'types.py', '_core', '_transport']));
    expect(await readdir(target)).not.toContain('generator');
  });

  it.skipIf(mypy === '')('[PY1.2] holds under mypy --strict, and wrong calls do not', async () => {
    const cache = join(folder.path, 'mypy');
    const parts = ['telegram_gateway', 'generator', 'tests', 'examples'];
    // Where a mistake is named that is none, mypy says so: `tests/typed_usage.py` has them.
    const { stdout } = await run(mypy, ['--strict', '--cache-dir', cache, ...parts], { cwd: pythonClient });
    expect(stdout).toMatch(/^Success: no issues found in \d+ source files/);
  });

  it.skipIf(withHttpx === '')('[PY1.1] passes its own tests with httpx', async () => {
    const output = await runPython(withHttpx, ['-m', 'unittest', 'tests.test_transports']);
    expect(output).toMatch(/^Ran \d+ tests in .*\n\nOK$/m);
  });
});
