// Tries mutants on the few tests that are nearest to each (docs/testing.md, "Mutation").
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { measureCoverage } from './coverage.js';
import { instrument } from './instrument.js';
import { nearestTests } from './nearest-tests.js';
import { runPlan } from './run-plan.js';

/**
 * Resolves with the mutants of `ranges` (instrument.js) and what became of each, as Stryker reports them. `folder` is the
 * folder they are of, `testPlaces` where its tests are, `most` how many files beside the unit tests try one mutant.
 */
export async function tryNear({ folder, ranges, testPlaces, most }) {
  const files = testPlaces
    .flatMap((place) => filesIn(place, '.test.ts'))
    .filter((file) => !file.endsWith('.long.test.ts'));
  const { loading, files: coverage } = await measureCoverage(folder, filesIn(folder, '.ts'), files);
  const { sources, mutants } = await instrument(ranges);
  const left = new Map();
  for (const mutant of mutants) {
    if (mutant.status !== undefined) continue;
    const steps = nearestTests(mutant.key, coverage, most);
    if (steps.length > 0) left.set(mutant.id, { id: mutant.id, steps });
    else mutant.status = loading.has(mutant.key) ? 'Ignored' : 'NoCoverage';
  }
  console.log(`${left.size} mutants to try`);
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  let begun;
  await runPlan({
    sources,
    first: files[0],
    rest: () => (left.size === 0 ? undefined : { mutants: [...left.values()].toSorted(byFirstFile) }),
    onResult: (result) => {
      if (result.at !== undefined) begun = result;
      for (const id of result.careful ?? []) left.get(id).careful = true;
      const { id, status, killedBy, unusable } = result.hung
        ? { id: begun.id, status: 'Timeout', killedBy: begun.at, unusable: [] }
        : result;
      if (status === undefined) return;
      left.delete(id);
      const mutant = Object.assign(byId.get(id), { status, killedBy });
      const { fileName, location, mutatorName, replacement } = mutant;
      const place = `${relative('.', fileName)}:${location.start.line}:${location.start.column}`;
      console.log(
        `${left.size} left; ${status} ${place} ${mutatorName} ${short(replacement)} ${short(killedBy ?? '')}`,
      );
      for (const test of unusable) console.log(`  fails without a mutant too: ${test}`);
    },
  });
  return mutants;
}

/** Those for unit tests first; those that need a process of their own last. */
const byFirstFile = (one, other) =>
  Number(one.careful ?? false) - Number(other.careful ?? false) ||
  other.steps[0].isUnit - one.steps[0].isUnit ||
  (one.steps[0].file < other.steps[0].file ? -1 : 1);

const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 120);

/** The files of a folder that end so, or that one file, sorted. */
function filesIn(place, ending) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(place, name))
    .toSorted();
}
