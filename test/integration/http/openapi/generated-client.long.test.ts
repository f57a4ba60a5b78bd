import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Inside the project, so that the compiler finds the generated client's run-time package. */
const folder = resolve('node_modules/.cache/generated-client');

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync('npx', ['oazapfts', 'docs/openapi.json', `${folder}/client.ts`]);
  if (status !== 0) throw new Error(String(stderr));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says of a program that uses the generated client. */
function faultsOf(program: string): string[] {
  writeFileSync(`${folder}/program.ts`, `import * as gateway from './client.ts';\n${program}`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    types: [],
    lib: ['es2023', 'dom'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const { stdout } = spawnSync('npx', ['tsc', '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  // The lines that follow one explain it.
  return stdout.split('\n').filter((line) => /^\S/.test(line));
}

describe('a client that a generator makes of the API document', () => {
  it('[OA1.5] compiles, and takes what the gateway takes', () => {
    const faults = faultsOf(`
      export async function run(): Promise<string> {
        const session = await gateway.createSession({ name: 'Support desk' });
        if (session.status !== 200) return session.data.message;
        const events = await gateway.listEvents({ after: 4, limit: 10 });
        if (events.status === 200) return events.data.docs.map(({ type }) => type).join();
        const sent = await gateway.sendMessage({ username: 'bob', type: 'text', text: 'Hello' }, { idempotencyKey: 'one' });
        await gateway.sendMessage({ user: '1002', type: 'image', image: { url: session.data.id, mimetype: 'image/png' } });
        await gateway.muteChat({ group: '-1003001', on: true });
        return sent.status === 200 ? (sent.data.messageId ?? '') : sent.data.message;
      }`);
    expect(faults).toEqual([]);
  });

  it('[OA1.5] refuses what the gateway refuses', () => {
    const faults = faultsOf(`
      export const wrongNumber = gateway.listEvents({ limit: 'ten' });
      export const wrongType = gateway.sendMessage({ username: 'bob', type: 'letter', text: 'Hello' });
      export const noText = gateway.sendMessage({ username: 'bob', type: 'text' });
      export const noRecipient = gateway.sendMessage({ type: 'text', text: 'Hello' });
      export const noImage = gateway.sendMessage({ username: 'bob', type: 'image', text: 'Hello' });
      export const noChat = gateway.muteChat({ on: true });`);
    expect(faults.map((line) => /\((\d+),/.exec(line)?.[1])).toEqual(['3', '4', '5', '6', '7', '8']);
  });
});
