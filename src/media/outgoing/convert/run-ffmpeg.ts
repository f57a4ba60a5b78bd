import { spawn } from 'node:child_process';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { inputLimits, limitedFfmpeg, programEnvironment } from '../input-limits.ts';

/** Kept of FFmpeg's messages, for the log: the end of them says why it failed. */
const keptCharacters = 2_000;

/** One run of FFmpeg. */
export interface FfmpegRun {
  program: string;
  source: string;
  /** See `container.ts`. */
  container: string;
  /** Everything behind the input: streams, filters, encoders, outputs. */
  output: readonly string[];
  /** Seconds of CPU after which it ends. */
  maxCpuSeconds: number;
  /** What it writes to `pipe:1`. */
  onOutput?: (bytes: Buffer) => void;
}

/**
 * Runs FFmpeg within the limits of files from outside. It is killed with the signal.
 * @throws {Error} it fails; the signal's reason
 */
export function runFfmpeg(run: FfmpegRun, signal: LightAbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { program, source, container, output, maxCpuSeconds, onOutput } = run;
  const limited = limitedFfmpeg(program, maxCpuSeconds);
  const args = [...limited.args, '-nostdin', ...inputLimits(container), '-i', source, ...output];
  return new Promise((resolve, reject) => {
    const child = spawn(limited.command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: programEnvironment() });
    let messages = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      messages = (messages + text).slice(-keptCharacters);
    });
    child.stdout.on('data', (bytes: Buffer) => onOutput?.(bytes));
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    const settle = (error?: Error): void => {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      else if (error === undefined) resolve();
      else reject(error);
    };
    child.on('error', settle);
    child.on('close', (code, killedBy) => {
      settle(code === 0 ? undefined : new Error(`FFmpeg ended with ${code ?? killedBy}: ${messages.trim()}`));
    });
  });
}
