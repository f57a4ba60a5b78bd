import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const runCommandFile = new URL('../../../src/programs/run-command.ts', import.meta.url).href;

describe('a command', () => {
  it('ends when its work is done, whatever is still open, with all that it has said', async () => {
    const program = `
      const { runCommand } = await import(${JSON.stringify(runCommandFile)});
      setInterval(() => {}, 1000);
      await runCommand({
        run: async () => {
          process.stdout.write('x'.repeat(1_000_000));
          return 1;
        },
        isPlain: () => false,
        secrets: () => new Map(),
      });`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
      execFile(process.execPath, args, { maxBuffer: 2_000_000 }, (error, stdout) => {
        resolve({ code: error?.code, said: stdout });
      });
    });
    expect(code).toBe(1);
    expect(said).toHaveLength(1_000_000);
  });
});
