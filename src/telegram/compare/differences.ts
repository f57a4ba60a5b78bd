import type { AnswerShape, ShapeEntry } from './answer-shape.ts';

/** What came of a step: an answer, the name of an error, or nothing, since an earlier step failed. */
export type Outcome = { kind: 'answer'; shape: AnswerShape } | { kind: 'error'; name: string } | { kind: 'skipped' };

/** In which way two answers to one call differ, in words. Nothing is said about what is inside something that is missing. */
export function differencesOf(telegram: Outcome, sandbox: Outcome): string[] {
  if (telegram.kind === 'answer' && sandbox.kind === 'answer') return shapeDifferences(telegram.shape, sandbox.shape);
  const [there, here] = [inWords(telegram), inWords(sandbox)];
  return there === here ? [] : [`${there} at Telegram, ${here} in the sandbox`];
}

/** An outcome in short. */
export function inWords(outcome: Outcome): string {
  if (outcome.kind === 'error') return outcome.name;
  if (outcome.kind === 'skipped') return 'skipped';
  const [first] = outcome.shape;
  return first === undefined ? 'an empty list' : `${first.constructor}${first.path === '' ? '' : ' in a list'}`;
}

function shapeDifferences(telegram: AnswerShape, sandbox: AnswerShape): string[] {
  const paths = new Set([...telegram, ...sandbox].map(({ path }) => path));
  const told: string[] = [];
  return [...paths]
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .flatMap((path) => {
      if (told.some((outer) => isInside(path, outer))) return [];
      const there = telegram.filter((entry) => entry.path === path);
      const here = sandbox.filter((entry) => entry.path === path);
      const [a, b] = [constructorsOf(there), constructorsOf(here)];
      const lines = a === b ? [] : [`${placeOf(path)}: ${a} at Telegram, ${b} in the sandbox`];
      if (a !== b) told.push(path);
      for (const entry of there) {
        const other = here.find(({ constructor }) => constructor === entry.constructor);
        const fields = other ? fieldDifferences(entry, other) : [];
        told.push(...fields.map(({ field }) => (path === '' ? field : `${path}.${field}`)));
        lines.push(...fields.map(({ text }) => text), ...(other ? timeDifferences(entry, other) : []));
      }
      return [...lines, ...orderDifferences(there[0], here[0])];
    });
}

function constructorsOf(entries: readonly ShapeEntry[]): string {
  const names = entries.map(({ constructor }) => constructor);
  return names.length === 0 ? 'nothing' : names.toSorted().join(' and ');
}

function fieldDifferences(there: ShapeEntry, here: ShapeEntry): { field: string; text: string }[] {
  const names = [...new Set([there, here].flatMap(({ always, sometimes }) => [...always, ...sometimes]))].toSorted();
  return names.flatMap((field) => {
    const [a, b] = [presence(there, field), presence(here, field)];
    const place = `${placeOf(there.path)}: ${there.constructor}`;
    return a === b ? [] : [{ field, text: `${place} has ${field} ${a} at Telegram, ${b} in the sandbox` }];
  });
}

function presence({ always, sometimes }: ShapeEntry, field: string): string {
  if (always.includes(field)) return 'always';
  return sometimes.includes(field) ? 'sometimes' : 'never';
}

function timeDifferences(there: ShapeEntry, here: ShapeEntry): string[] {
  return Object.entries(there.times).flatMap(([field, time]) => {
    const other = here.times[field];
    if (other === undefined || other === time) return [];
    return [`${placeOf(there.path)}: ${field} is ${time} at Telegram, ${other} in the sandbox`];
  });
}

function orderDifferences(there: ShapeEntry | undefined, here: ShapeEntry | undefined): string[] {
  if (there?.order === undefined || here?.order === undefined || there.order === here.order) return [];
  return [`${placeOf(there.path)}: the IDs are ${there.order} at Telegram, ${here.order} in the sandbox`];
}

const depthOf = (path: string): number => path.split(/[.[]/).length;
const placeOf = (path: string): string => (path === '' ? 'the answer' : path);
const isInside = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
