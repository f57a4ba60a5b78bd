import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { TransitionMetadata } from '../../../actors/session/events.ts';
import { checkTransition, unreadable } from '../../../actors/session/replay.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import { ExportFormatError, eventsOfExport } from '../../audit/session-export.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';

export function tellCommand(): Command {
  return new Command('tell')
    .description('print an exported session and recompute its transitions; exit code 1 if one differs')
    .argument('<file>', 'that `export` wrote')
    .option('--json', 'print each event as a line of JSON')
    .action((file: string, { json = false }: { json?: boolean }) =>
      runCommand({
        run: () => run(file, json),
        isPlain: (error) => (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof ExportFormatError,
        secrets: () => new Map(),
      }),
    );
}

/** Prints one line for each event, and recomputes each transition with this version's chart. Needs no store. */
async function run(file: string, isJson: boolean): Promise<number> {
  const events = eventsOfExport(await readFile(file, 'utf8'));
  let before: TransitionMetadata | undefined;
  let differing = 0;
  for (const recorded of events) {
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      differing += 1;
      const problem = unreadable(event);
      printResult(isJson, { seq: seqOf(recorded), type: recorded.type, problem }, `${padded(recorded)}  ! ${problem}`);
      before = undefined;
      continue;
    }
    const problem = checkTransition(event, before);
    const { at, from, to, reason, deadlines } = event.metadata;
    const moved = from === to ? `stays ${to}` : `${from ?? 'nothing'} → ${to}`;
    const due = deadlines.map(({ fact, dueAt }) => `, ${fact} at ${new Date(dueAt).toISOString()}`).join('');
    printResult(
      isJson,
      { seq: seqOf(event), at: new Date(at).toISOString(), type: event.type, from, to, reason, deadlines, problem },
      `${padded(event)}  ${new Date(at).toISOString()}  ${event.type}: ${moved} (${reason}${due})` +
        (problem === undefined ? '' : `\n      ! ${problem}`),
    );
    if (problem !== undefined) differing += 1;
    before = event.metadata;
  }
  const verdict = differing === 0 ? 'no drift' : `${differing} differ`;
  printResult(isJson, { events: events.length, differing }, `${events.length} events, ${verdict}`);
  return differing === 0 ? exitCodes.fine : exitCodes.found;
}

const seqOf = ({ revision }: { revision: number }): number => revision + 1;
const padded = (event: { revision: number }): string => String(seqOf(event)).padStart(4);
