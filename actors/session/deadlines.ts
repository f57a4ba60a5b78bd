import type { Deadline } from './events.ts';

/** The earliest deadline. */
export function nextDeadline(deadlines: readonly Deadline[]): Deadline | undefined {
  let first: Deadline | undefined;
  for (const deadline of deadlines) if (first === undefined || deadline.dueAt < first.dueAt) first = deadline;
  return first;
}
