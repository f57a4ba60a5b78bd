#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { exitCodes } from './run-command.ts';

/**
 * By name; the first of two words is a group. A new command is a file in `commands` and a line here. Only the command
 * that is asked for is loaded: `health` is started every few seconds, and needs nothing of the gateway.
 */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).startCommand(),
  check: async () => (await import('./commands/check.ts')).checkCommand(),
  compare: async () => (await import('./commands/compare.ts')).compareCommand(),
  health: async () => (await import('./commands/health.ts')).healthCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(),
  'session export': async () => (await import('./commands/session-export.ts')).sessionExportCommand(),
  'session replay': async () => (await import('./commands/session-replay.ts')).sessionReplayCommand(),
  'store copy': async () => (await import('./commands/store-copy.ts')).storeCopyCommand(),
};
const groups: Readonly<Record<string, string>> = {
  session: 'commands for the events of one session',
  store: 'commands for event stores',
};

/** The command that the arguments name, or all of them: for help, and for errors. */
function namesOf(words: readonly string[]): readonly string[] {
  const all = Object.keys(commands);
  const named = all.filter((name) => name.split(' ').every((word, index) => word === words[index]));
  return named.length > 0 ? named : all;
}

async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('telegram-gateway')
    .description('JSON over HTTP in front of logged-in Telegram accounts')
    .exitOverride();
  for (const [name, description] of Object.entries(groups)) {
    program.addCommand(new Command(name).description(description).copyInheritedSettings(program));
  }
  for (const name of namesOf(words)) {
    const load = commands[name];
    if (load === undefined) continue;
    const group = name.includes(' ') ? program.commands.find((each) => each.name() === name.split(' ')[0]) : program;
    group?.addCommand((await load()).copyInheritedSettings(program));
  }
  return program;
}

process.setSourceMapsEnabled(true);
const words = process.argv.slice(2);
try {
  await (await createProgram(words)).parseAsync(words, { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has written the help (exit code 0 if it was asked for), or what is wrong with the arguments.
  process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.failed;
}
