import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './table.ts';

/** JSON with `{"$n":"…"}` for a bigint and `{"$b":"…"}` (base64) for bytes. */
export function encodeRow(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field === 'bigint') return { $n: field.toString() };
    const bytes = field as { type?: string; data?: number[] } | null;
    return bytes?.type === 'Buffer' && Array.isArray(bytes.data)
      ? { $b: Buffer.from(bytes.data).toString('base64') }
      : field;
  });
}

function decodeRow(text: string): unknown {
  return JSON.parse(text, (_key, field: unknown) => {
    const tagged = field as { $n?: string; $b?: string } | null;
    if (typeof tagged?.$n === 'string') return BigInt(tagged.$n);
    return typeof tagged?.$b === 'string' ? Buffer.from(tagged.$b, 'base64') : field;
  });
}

/**
 * The changes of a world in a file, one a line: `["put","users",{…}]`, `["delete","users","1001"]`. Written through to
 * the operating system before an answer goes out, so that it survives kill -9 of the process (not a power cut).
 */
export class Journal {
  readonly #path: string;
  #descriptor: number | undefined;
  #pending: string[] = [];

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, 'journal.jsonl');
  }

  /** What was written, in order. A torn last line, which kill -9 leaves, is passed over; nothing was answered on it. */
  read(): Change[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, 'utf8').split('\n');
    lines.pop();
    return lines.map((line) => {
      const [verb, table, what] = decodeRow(line) as [string, string, unknown];
      return verb === 'put' ? { table, put: what } : { table, delete: what as string };
    });
  }

  /** Starts the file anew with these changes alone: the old one stays until the new one is whole. */
  rewrite(changes: Iterable<Change>): void {
    this.close();
    const fresh = `${this.#path}.new`;
    const descriptor = openSync(fresh, 'w', 0o600);
    for (const change of changes) writeSync(descriptor, lineOf(change));
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(fresh, this.#path);
    this.#descriptor = openSync(this.#path, 'a', 0o600);
  }

  add(change: Change): void {
    this.#pending.push(lineOf(change));
  }

  /** Everything added is in the hands of the operating system afterwards. */
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

function lineOf(change: Change): string {
  const entry = 'put' in change ? ['put', change.table, change.put] : ['delete', change.table, change.delete];
  return `${encodeRow(entry)}\n`;
}
