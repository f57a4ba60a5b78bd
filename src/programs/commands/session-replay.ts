import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { TransitionMetadata } from '../../../actors/session/events.ts';
import { checkTransition, unreadable } from '../../../actors/session/replay.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import { ExportFormatError, eventsOfExport } from '../../audit/session-export.ts';
import { exitCodes, runCommand } from '../run-command.ts';

export function sessionReplayCommand(): Command {
  return new Command('replay')
    .description('print an exported session and recompute its transitions; exit code 1 if one differs')
    .argument('<file>', 'that `session export` wrote')
    .action((file: string) =>
      runCommand({
        run: () => run(file),
        isPlain: (error) => (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof ExportFormatError,
        secrets: () => new Map(),
      }),
    );
}

/** Prints one line for each event, and recomputes each transition with this version's chart. Needs no store. */
async function run(file: string): Promise<number> {
  const events = eventsOfExport(await readFile(file, 'utf8'));
  let before: TransitionMetadata | undefined;
  let differing = 0;
  for (const recorded of events) {
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      differing += 1;
      process.stdout.write(`${seq(recorded)}  ! ${unreadable(event)}\n`);
      before = undefined;
      continue;
    }
    const problem = checkTransition(event, before);
    const { at, from, to, reason, deadlines } = event.metadata;
    const moved = from === to ? `stays ${to}` : `${from ?? 'nothing'} → ${to}`;
    const due = deadlines.map(({ fact, dueAt }) => `, ${fact} at ${new Date(dueAt).toISOString()}`).join('');
    process.stdout.write(`${seq(event)}  ${new Date(at).toISOString()}  ${event.type}: ${moved} (${reason}${due})\n`);
    if (problem !== undefined) {
      differing += 1;
      process.stdout.write(`      ! ${problem}\n`);
    }
    before = event.metadata;
  }
  process.stdout.write(`${events.length} events, ${differing === 0 ? 'no drift' : `${differing} differ`}\n`);
  return differing === 0 ? exitCodes.fine : exitCodes.found;
}

const seq = ({ revision }: { revision: number }): string => String(revision + 1).padStart(4);
