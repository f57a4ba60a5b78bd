import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { decodeRow, encodeRow } from './row-json.ts';
import type { TableChange } from './table.ts';

/**
 * A file of table changes, one a line: `["put","users",{…}]`, `["delete","users","1001"]`. After `flush` the operating
 * system has them: they survive kill -9 of this process, but not a power cut.
 */
export class JournalFile {
  readonly #path: string;
  #descriptor: number | undefined;
  #pending: string[] = [];

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, 'journal.jsonl');
  }

  /** All changes in order. An incomplete last line, left by kill -9, is skipped: no answer was sent for it. */
  read(): TableChange[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, 'utf8').split('\n');
    lines.pop();
    return lines.map((line) => {
      const [verb, table, content] = decodeRow(line) as [string, string, unknown];
      return verb === 'put' ? { table, put: content } : { table, delete: content as string };
    });
  }

  /** Replaces the file by one with only these changes. The old file stays until the new one is complete. */
  rewrite(changes: Iterable<TableChange>): void {
    this.close();
    const fresh = `${this.#path}.new`;
    const descriptor = openSync(fresh, 'w', 0o600);
    for (const change of changes) writeSync(descriptor, lineOf(change));
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(fresh, this.#path);
    this.#descriptor = openSync(this.#path, 'a', 0o600);
  }

  /** Takes a change for the next `flush`. */
  add(change: TableChange): void {
    this.#pending.push(lineOf(change));
  }

  flush(): void {
    if (this.#pending.length === 0 || this.#descriptor === undefined) return;
    writeSync(this.#descriptor, this.#pending.join(''));
    this.#pending = [];
  }

  close(): void {
    this.flush();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#pending = [];
  }
}

function lineOf(change: TableChange): string {
  const entry = 'put' in change ? ['put', change.table, change.put] : ['delete', change.table, change.delete];
  return `${encodeRow(entry)}\n`;
}
