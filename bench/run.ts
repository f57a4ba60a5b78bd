import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Measurement, reaches, resultMark } from './measurement.ts';

/**
 * `npm run bench [-- NAME …]` runs the named benches of `bench/lines`, or all of them, one after the other, each in a fresh
 * process, and prints one table. The exit code is 1 if a line misses its bar or a bench fails.
 */
const lines = join(import.meta.dirname, 'lines');
/** As `npm start` and the image run the gateway. */
const flags = ['--max-semi-space-size=32'];
const wanted = process.argv.slice(2);
const benches = readdirSync(lines, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.[jt]s$/.test(file))
  .map((file) => ({ name: parse(file).name, path: join(lines, file) }))
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name));

const measurements: Measurement[] = [];
let crashed = 0;
for (const bench of benches) {
  process.stderr.write(`… ${bench.name}\n`);
  try {
    measurements.push(...(await runBench(bench.path)));
  } catch (error) {
    crashed++;
    process.stderr.write(`${bench.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
process.stdout.write(table(measurements));
process.exitCode = crashed === 0 && measurements.length > 0 && measurements.every(reaches) ? 0 : 1;

async function runBench(path: string): Promise<Measurement[]> {
  const child = spawn(process.execPath, [...flags, '--expose-gc', '--enable-source-maps', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const result = output.split('\n').find((line) => line.startsWith(resultMark));
  if (code !== 0 || result === undefined)
    throw new Error(`exit code ${code}, ${result === undefined ? 'without' : 'with'} a result`);
  return JSON.parse(result.slice(resultMark.length)) as Measurement[];
}

function table(rows: readonly Measurement[]): string {
  const cells = rows.map((row) => [
    row.line,
    row.value === undefined ? '–' : `${format(row.value)} ${row.unit}`,
    'atLeast' in row.bar ? `≥ ${format(row.bar.atLeast)}` : `≤ ${format(row.bar.atMost)}`,
    row.value === undefined ? 'skipped' : reaches(row) ? 'ok' : 'short',
    row.detail,
  ]);
  const header = ['line', 'measured', 'bar', '', 'how'];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return `${line(header)}${line(widths.map((width) => '-'.repeat(width)))}${cells.map(line).join('')}`;
}

function format(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
