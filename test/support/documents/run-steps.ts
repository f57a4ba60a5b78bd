import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Program } from '../gateway/program.ts';
import { patternOf, type Step } from './code-blocks.ts';

const pollMs = 50;
/** A minute and more: a step that takes longer prints something else than the document says. */
const maxAttempts = 600;
/** What a gateway on a busy machine responds, and what a program reads from such a response. */
const turnedAway = /service overloaded|undefined/;

/** Where the sandbox's control API of a gateway that {@link Program} runs answers. */
export function sandboxOf(gateway: Program): string {
  return /with: (\S+)/.exec(gateway.output())?.[1] ?? '';
}

/** A text of a document, whose addresses are those of a gateway that has the machine to itself. */
export function localized(gateway: Program, text: string): string {
  return localizedTo({ url: gateway.url, sandboxUrl: sandboxOf(gateway) }, text);
}

export function localizedTo({ url, sandboxUrl }: { url: string; sandboxUrl: string }, text: string): string {
  return text.replaceAll('http://127.0.0.1:3000', url).replaceAll('http://127.0.0.1:4400', sandboxUrl);
}

/** Runs a shell block and resolves with what it prints; if that is nothing and it failed, with how it failed. */
export function runShell(command: string, folder: string, environment: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    execFile('bash', ['-c', command], { cwd: folder, env }, (error, stdout, stderr) => {
      const isSilent = error !== null && stdout === '';
      resolve(isSilent ? `failed: ${error.code ?? error.signal} ${stderr}` : stdout);
    });
  });
}

/**
 * Runs a step until it prints what the document says. What only asks is asked again, and so is what a busy machine turned
 * away.
 * @param wanted if the document does not say what it prints
 */
export async function runStep(
  { command, printed }: Step,
  run: (command: string) => Promise<string>,
  wanted: RegExp = patternOf(printed),
): Promise<void> {
  const asks = /^(?:sleep 1; )?curl -s (?:-H \S+ )*'?http\S+\n$/.test(command);
  for (let attempt = 1; ; attempt += 1) {
    const said = await run(command.replace('sleep 1; ', ''));
    if (wanted.test(said)) break;
    if (attempt === maxAttempts || (!asks && !turnedAway.test(said))) expect(said).toMatch(wanted);
    await pause(pollMs);
  }
}
