import { CommandError } from '../errors/command-error.ts';

/** `fine`: nothing is wrong. `found`: the command found differences. `failed`: it could not do its work. */
export const exitCodes = { fine: 0, found: 1, failed: 2 } as const;

export interface CommandOptions {
  /** Resolves with the exit code. */
  run: () => Promise<number>;
  /** Other errors than {@link CommandError} that need no stack. */
  isPlain: (error: unknown) => boolean;
  /** Replaced in errors: store URLs that may hold passwords, each with the name to show instead. */
  secrets: () => ReadonlyMap<string, string>;
}

/** Runs a command and ends the process: a connection that a silent server does not close would keep it running. */
export async function runCommand({ run, isPlain, secrets }: CommandOptions): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const isExpected = error instanceof CommandError || isPlain(error);
    const text = error instanceof Error ? ((isExpected ? undefined : error.stack) ?? error.message) : String(error);
    process.stderr.write(`${withoutSecrets(text, secrets())}\n`);
    process.exitCode = exitCodes.failed;
  }
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit();
}

/** Resolves when all earlier output has been written. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

function withoutSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  let shown = text;
  for (const [secret, name] of secrets) shown = shown.replaceAll(secret, name);
  return shown;
}
