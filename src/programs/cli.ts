#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { gatewayVersion } from '../http/openapi/version.ts';
import { exitCodes } from './run-command.ts';

/**
 * A new command is a file in `commands` and a line here. Only the command that is asked for is loaded: `health` is started
 * every few seconds, and needs nothing of the gateway.
 */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).startCommand(),
  check: async () => (await import('./commands/check.ts')).checkCommand(),
  health: async () => (await import('./commands/health.ts')).healthCommand(),
  keygen: async () => (await import('./commands/keygen.ts')).keygenCommand(),
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  restore: async () => (await import('./commands/restore.ts')).restoreCommand(),
  copy: async () => (await import('./commands/copy.ts')).copyCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  tell: async () => (await import('./commands/tell.ts')).tellCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  compare: async () => (await import('./commands/compare.ts')).compareCommand(),
};

/** @param name of the command that the arguments begin with; any other: all commands, for help and for errors */
async function createProgram(name = ''): Promise<Command> {
  const program = new Command('telegram-gateway')
    .description('JSON over HTTP in front of logged-in Telegram accounts')
    .version(gatewayVersion)
    .exitOverride();
  const load = commands[name];
  const loaded = load === undefined ? Object.values(commands) : [load];
  for (const one of loaded) program.addCommand((await one()).copyInheritedSettings(program));
  return program;
}

process.setSourceMapsEnabled(true);
// While a gateway starts, nearly all objects stay in use, and V8 concludes that objects of these kinds live long. It then allocates
// those of each request as old ones, which keep young ones alive: a node among several spent 9 % of its time in collections, not 3 %.
setFlagsFromString('--no-allocation-site-pretenuring');
const words = process.argv.slice(2);
try {
  await (await createProgram(words[0])).parseAsync(words, { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has written the help (exit code 0 if it was asked for), or what is wrong with the arguments.
  process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.failed;
}
