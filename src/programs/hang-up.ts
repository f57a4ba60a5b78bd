import { fstatSync, readFileSync, readSync } from 'node:fs';
import { isatty } from 'node:tty';

const standardFds = [0, 1, 2] as const;
const hangUpBit = 0;

/**
 * Whether a hang-up (SIGHUP) was to be ignored, as `nohup` asks: read at the start of the process. Node resets ignored
 * signals before any of its code runs, so the signs are indirect:
 * - `nohup` replaces a terminal on standard input by a file that cannot be read (GNU coreutils, nohup.c);
 * - neither input, output nor errors are a terminal, a pipe or a socket: nothing is left that could hang up;
 * - the shell that started it, or one above it in the same session, ignores SIGHUP (Linux).
 */
export function isHangUpIgnored(): boolean {
  return !canReadStandardInput() || standardFds.every(isFileOrDevice) || hasIgnoringAncestor();
}

function canReadStandardInput(): boolean {
  try {
    // No bytes are taken. A descriptor for writing only fails even so.
    readSync(0, Buffer.alloc(0), 0, 0, null);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EBADF';
  }
}

function isFileOrDevice(fd: number): boolean {
  if (isatty(fd)) return false;
  try {
    const stat = fstatSync(fd);
    return !stat.isFIFO() && !stat.isSocket();
  } catch {
    return false;
  }
}

function hasIgnoringAncestor(): boolean {
  try {
    const session = readProcess(process.pid).session;
    for (let { parent } = readProcess(process.pid); parent > 1; ) {
      const ancestor = readProcess(parent);
      if (ancestor.session !== session) return false;
      if (ancestor.ignoresHangUp) return true;
      parent = ancestor.parent;
    }
  } catch {
    // There is no /proc, or an ancestor has ended.
  }
  return false;
}

/** From Linux's /proc (proc(5)). @throws there is none, or no such process */
function readProcess(pid: number): { parent: number; session: number; ignoresHangUp: boolean } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may contain anything: state, parent, process group, session.
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return {
    parent: Number(parent),
    session: Number(session),
    ignoresHangUp: ((BigInt(`0x${ignored}`) >> BigInt(hangUpBit)) & 1n) === 1n,
  };
}
