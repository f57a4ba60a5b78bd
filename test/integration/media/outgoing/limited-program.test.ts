import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { limitedCommand, type ProgramLimits } from '../../../../src/media/outgoing/limited-program.ts';

const megabyte = 1024 * 1024;

function run(limits: ProgramLimits, ...words: readonly string[]): { status: number | null; output: string } {
  const [program = '', ...rest] = words;
  const { command, args } = limitedCommand(program, limits);
  const { status, stdout } = spawnSync(command, [...args, ...rest], { env: { SECRET: 'x' }, encoding: 'utf8' });
  return { status, output: stdout };
}

/** A shell that keeps as much in a variable. Node would not do: what it reserves differs by its version. */
const hold = (megabytes: number): readonly string[] => [
  '/bin/sh',
  '-c',
  `all=$(head -c ${megabytes * megabyte} /dev/zero | tr '\\0' x); printf '%s' "$all" | wc -c`,
];

it('[NB4.1] a program gets its memory, and no more', () => {
  const limits = { maxBytes: 100 * megabyte };
  expect(run(limits, ...hold(10))).toEqual({ status: 0, output: `${10 * megabyte}\n` });
  const { status, output } = run(limits, ...hold(150));
  expect(output).toBe('');
  expect(status).not.toBe(0);
});

it('[NB5.1] the words of a command stay what they are', () => {
  const words = ['a b', '$HOME', '`id`', '"', "'", '-x', ''];
  const { output } = run({ maxBytes: 100 * megabyte, maxCpuSeconds: 5 }, 'printf', '%s\n', ...words);
  expect(output).toBe(`${words.join('\n')}\n`);
});

it('[NB5.1] the environment is replaced, or kept', () => {
  const limits = { maxBytes: 100 * megabyte };
  expect(run({ ...limits, environment: { A: '1 2', B: '$A' } }, '/usr/bin/env').output).toBe('A=1 2\nB=$A\n');
  expect(run(limits, '/usr/bin/env').output).toContain('SECRET=x');
});

it('[NB5.1] a limit that is lower already stays', () => {
  const inner = limitedCommand('/bin/sh', { maxBytes: 200 * megabyte });
  const { output } = run({ maxBytes: 100 * megabyte }, inner.command, ...inner.args, '-c', 'ulimit -d');
  expect(output).toBe(`${100 * 1024}\n`);
});
