import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian installs some of them where only root looks. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** The file of a program; undefined, and said, if this machine has none. */
export function programOf(name: string, debianPackage: string): string | undefined {
  const file = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (file === undefined) {
    process.stderr.write(`no ${name} (Debian's ${debianPackage}): what ships for it is not tried\n`);
  }
  return file;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
