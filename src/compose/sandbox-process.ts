import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { LightAbort } from '../../actors/kit/light-abort.ts';
import { sleep } from '../../actors/kit/sleep.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import { StartError } from '../errors/gateway-error.ts';

/** The sandbox of a killed gateway ends within milliseconds; its ports are free by then. */
const retryMs = 500;
const startAttempts = 20;

export interface SandboxProcessOptions {
  port: number;
  dcPort: number;
  /** The folder of its logins and messages. */
  dataDir: string;
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
}

export interface SandboxProcess {
  /** Control API and phone page. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Runs the sandbox as a child process and restarts it if it ends. A pipe connects it to this process: when this process
 * dies, even by kill -9, the pipe breaks and the sandbox ends. So no sandbox is orphaned, and the next start finds its
 * ports free. Signals of the terminal do not reach it, so it outlives the graceful shutdown.
 * @throws {StartError} it cannot be started, for example because another program has its ports
 */
export async function startSandboxProcess(options: SandboxProcessOptions): Promise<SandboxProcess> {
  const { clock, log } = options;
  const stop = new LightAbort();
  let child: ChildProcess;

  const start = async (attempts: number): Promise<string> => {
    const started = await launch(options);
    child = started.child;
    if ('url' in started) {
      child.once('exit', (code) => {
        if (stop.aborted) return;
        log.error({ where: 'sandbox', code }, 'the sandbox has ended by itself; starting it again');
        void restart();
      });
      return started.url;
    }
    if (attempts <= 1) {
      throw new StartError(
        `the sandbox cannot start on port ${options.port} and ${options.dcPort} onwards: ${started.complaint}\n` +
          'set SANDBOX_PORT and SANDBOX_DC_PORT, or TELEGRAM_SANDBOX_URL where one is running already',
      );
    }
    await sleep(clock, retryMs, stop);
    return start(attempts - 1);
  };
  const restart = async (): Promise<void> => {
    try {
      await sleep(clock, retryMs, stop);
      await start(startAttempts);
    } catch (err) {
      if (!stop.aborted) log.error({ where: 'sandbox', err }, 'the sandbox is gone');
    }
  };

  const url = await start(startAttempts);
  return {
    url,
    stop: () => {
      stop.abort(new Error('the gateway is closing'));
      return ended(child);
    },
  };
}

/**
 * Starts the sandbox's own program. It ends when this process does.
 * @param environment all of it: the gateway's holds secrets and is not passed on
 */
export function forkSandbox(environment: Record<string, string>, options: ForkOptions = {}): ChildProcess {
  const program = new URL(`../../sandbox/cli${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  return fork(fileURLToPath(program), { ...options, env: environment });
}

type Launched = { child: ChildProcess } & ({ url: string } | { complaint: string });

/** Resolves when it listens, or has ended. */
function launch({ port, dcPort, dataDir, log }: SandboxProcessOptions): Promise<Launched> {
  const child = forkSandbox(
    { SANDBOX_PORT: String(port), SANDBOX_DC_PORT: String(dcPort), SANDBOX_DATA: dataDir },
    { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true },
  );
  let complaint = '';
  let listens = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    if (listens) log.error({ where: 'sandbox', output: chunk.toString() }, 'the sandbox wrote to stderr');
    else complaint += chunk.toString();
  });
  child.once('message', () => {
    listens = true;
  });
  return new Promise((resolve) => {
    child.once('message', (message) => resolve({ child, url: String(Object(message).url) }));
    child.once('error', (error) => resolve({ child, complaint: error.message }));
    child.once('exit', () => resolve({ child, complaint: complaint.trim() }));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
