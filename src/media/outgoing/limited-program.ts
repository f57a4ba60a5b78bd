import { existsSync } from 'node:fs';

/** What a program may take, on systems that have these limits; on others it runs without them. */
export interface ProgramLimits {
  /** Of memory that it writes to: its heap, its stacks and what it maps for itself. */
  maxBytes: number;
  /** Seconds of CPU. Default: no limit. */
  maxCpuSeconds?: number;
  /** Replaces the environment. Default: it keeps the one that it is started with. */
  environment?: Readonly<Record<string, string>>;
}

const shell = '/bin/sh';

/**
 * The command that runs a program within limits: a shell sets them (`ulimit`) and becomes the program, so that its process
 * ID, its pipes and its end are those of the program. The limit is RLIMIT_DATA, not RLIMIT_AS: Node reserves gigabytes of
 * addresses that it never writes to. A crash leaves no core file, which would hold the content of a stranger's file.
 */
export function limitedCommand(
  program: string,
  { maxBytes, maxCpuSeconds, environment }: ProgramLimits,
): { command: string; args: string[] } {
  if (!existsSync(shell)) return { command: program, args: [] };
  const limits = [
    'ulimit -c 0',
    `ulimit -d ${Math.floor(maxBytes / 1024)}`,
    ...(maxCpuSeconds === undefined ? [] : [`ulimit -t ${maxCpuSeconds}`]),
  ].map((limit) => `${limit} 2>/dev/null; `);
  const replaced =
    environment === undefined
      ? []
      : ['/usr/bin/env', '-i', ...Object.entries(environment).map((pair) => pair.join('='))];
  // The words after the script are its $0, $1 and so on: nothing of them is read as a command.
  return { command: shell, args: ['-c', `${limits.join('')}exec "$0" "$@"`, ...replaced, program] };
}
