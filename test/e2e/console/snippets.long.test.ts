import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeLanguage, codeLanguages, snippetOf } from '../../../console/code/snippets.ts';
import { pumpTime } from '../../support/browser/pump-time.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { readQr } from '../../support/gateway/gateway.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

/** The programs that the console and docs/integrating.md show, run as they are. */

const programs: Record<CodeLanguage, { file: string; command: string; args: string[] }> = {
  curl: { file: 'send.sh', command: 'sh', args: ['-e'] },
  TypeScript: { file: 'send.mjs', command: process.execPath, args: [] },
  Python: { file: 'send.py', command: 'python3', args: [] },
};

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

describe('the console’s programs', () => {
  let scene: Scene;
  let caller: Caller;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    scene = await openScene();
    caller = await scene.connected(ann);
    folder = await createTemporaryFolder();
  });
  afterAll(async () => {
    await scene?.close();
    await folder?.remove();
  });

  it.each(codeLanguages.filter((name) => name === 'TypeScript' || isInstalled(name === 'curl' ? 'curl' : 'python3')))(
    '[CO10.1] send a message with %s',
    async (language) => {
      const { file, command, args } = programs[language];
      const path = join(folder.path, file);
      writeFileSync(path, snippetOf(language, { gateway: `${scene.gateway.url}/`, ...caller }));
      const sentBefore = await sent();
      const { stdout } = await scene.whilePassing(promisify(execFile)(command, [...args, path]));
      expect(stdout).toMatch(/\d/);
      expect(await sent()).toBe(sentBefore + 1);
    },
  );

  it.skipIf(!isInstalled('python3'))('docs/integrating.md creates a session, logs it in and sends', async () => {
    const [, program = ''] = /```python\n([^]*?)```/.exec(readFileSync('docs/integrating.md', 'utf8')) ?? [];
    writeFileSync(join(folder.path, 'first.py'), program);
    const sentBefore = await sent();
    const state = { hasEnded: false };
    const running = promisify(execFile)('python3', ['first.py'], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], GATEWAY: scene.gateway.url },
    }).finally(() => {
      state.hasEnded = true;
    });
    const picture = join(folder.path, 'qr.png');
    const scan = async (): Promise<void> => {
      while (!state.hasEnded && !statSync(picture, { throwIfNoEntry: false })?.size) {
        await scene.sandbox.call('GET', '/stats');
      }
      if (!state.hasEnded) await scene.sandbox.scan(await readQr(readFileSync(picture, 'base64')), ann);
    };
    const [{ stdout }] = await pumpTime(scene, Promise.all([running, scan()]));
    expect(stdout).toMatch(/^\d+\n$/);
    expect(await sent()).toBe(sentBefore + 1);
  });

  async function sent(): Promise<number> {
    const messages = await scene.sandbox.call<{ text: string }[]>(
      'GET',
      `/accounts/${bob}/messages?peer=${ann}&limit=10`,
    );
    return messages.filter(({ text }) => text === 'Hello').length;
  }
});
