import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../support/gateway/command-line.ts';

const commands = ['start', 'check', 'compare', 'health', 'replay', 'session export', 'session replay', 'store copy'];

describe('telegram-gateway', () => {
  it('lists its commands with --help, and those of a group', async () => {
    const { code, output } = await runCommandLine('--help', []);
    expect(code).toBe(0);
    for (const command of commands) expect(output).toMatch(new RegExp(`^  ${command.split(' ')[0]} `, 'm'));
    const group = await runCommandLine('session --help', []);
    expect(group.output).toMatch(/^ {2}export /m);
    expect(group.output).toMatch(/^ {2}replay /m);
  });

  it.each(commands)('describes %s with --help, and does nothing', async (command) => {
    const { code, output } = await runCommandLine(command, ['--help']);
    expect(output).toMatch(new RegExp(`^Usage: telegram-gateway ${command}\\b`));
    expect(code).toBe(0);
  });

  it.each([
    ['start nowhere', 'error: too many arguments'],
    ['begin', "error: unknown command 'begin'"],
    ['session', 'Usage: telegram-gateway session'],
    ['session end', "error: unknown command 'end'"],
    ['replay --sore x', "error: unknown option '--sore'"],
    ['session export', "error: missing required argument 'id'"],
    ['store copy --from sqlite:a.db', "error: required option '--to <url>' not specified"],
  ])('exits with 2 for: %s', async (line, message) => {
    const { code, output } = await runCommandLine(line, []);
    expect(output).toContain(message);
    expect(code).toBe(2);
  });

  it('health exits with 1 if no gateway answers', async () => {
    const { code, output } = await runCommandLine('health', [], { PORT: '1' });
    expect(output).toMatch(/^no answer: /);
    expect(code).toBe(1);
  });
});
