import type { AppendMemory } from './append-memory.ts';
import type { EventLog, LoggedEvent, ProposedEvent } from './event-log.ts';
import { isDeleted } from './stream-metadata.ts';

/** A revision (-1: no stream), or what does not name one. */
export type Expected = number | 'any' | 'exists';

/** As numbers, the way the protocol counts them where it has no other field: `ExpectedVersion` of the server. */
const expectedNumbers = { any: -2, exists: -4 } as const;

export const expectedName = (expected: Expected): number =>
  typeof expected === 'number' ? expected : expectedNumbers[expected];

export class WrongVersionFault extends Error {
  override name = 'WrongVersionFault';
  readonly stream: string;
  readonly expected: number;
  readonly current: number;

  constructor(stream: string, expected: number, current: number) {
    super('WrongExpectedVersion');
    this.stream = stream;
    this.expected = expected;
    this.current = current;
  }
}

export class StreamDeletedFault extends Error {
  override name = 'StreamDeletedFault';
  readonly stream: string;

  constructor(stream: string) {
    super(`Event stream '${stream}' is deleted.`);
    this.stream = stream;
  }
}

/**
 * What the server's index writer checks before it writes (`IndexWriter.CheckCommit`): undefined where the events are to
 * be written, or the last event of an append that this one repeats. `any` and `exists` are recognised by what the node
 * remembers alone. An append of nothing repeats nothing.
 */
export function decideAppend(
  log: EventLog,
  name: string,
  expected: Expected,
  events: readonly ProposedEvent[],
  memory: Pick<AppendMemory, 'find'>,
): LoggedEvent | undefined {
  const stream = log.stream(name);
  const current = stream?.last ?? -1;
  const wrong = (): WrongVersionFault => new WrongVersionFault(name, expectedName(expected), current);
  if (stream?.tombstoned === true) throw new StreamDeletedFault(name);
  if (expected === 'exists') {
    if (isDeleted(stream?.metadata ?? {})) throw new StreamDeletedFault(name);
    if (current < 0 && log.lastRevision(`$$${name}`) < 0) throw wrong();
  }
  if (expected === 'any' || expected === 'exists') return repeatedById(memory, name, events, wrong);
  if (expected > current) throw wrong();
  if (expected === current) return undefined;
  if (events.length === 0) throw wrong();
  return repeatedAtRevision(log, name, expected, events, wrong);
}

function repeatedById(
  memory: Pick<AppendMemory, 'find'>,
  name: string,
  events: readonly ProposedEvent[],
  wrong: () => WrongVersionFault,
): LoggedEvent | undefined {
  const found = events.map(({ id }) => memory.find(id)).map((event) => (event?.stream === name ? event : undefined));
  if (found[0] === undefined) return undefined;
  if (found.includes(undefined)) throw wrong();
  return found.at(-1);
}

function repeatedAtRevision(
  log: EventLog,
  name: string,
  expected: number,
  events: readonly ProposedEvent[],
  wrong: () => WrongVersionFault,
): LoggedEvent | undefined {
  const stream = log.stream(name);
  for (const [index, { id }] of events.entries()) {
    if (stream?.events[expected + 1 + index]?.id === id) continue;
    // "No stream" is also what a stream is that has been deleted softly.
    if (index === 0 && expected === -1 && isDeleted(stream?.metadata ?? {})) return undefined;
    throw wrong();
  }
  return stream?.events[expected + events.length];
}
