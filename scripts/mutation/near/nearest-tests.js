// Which tests are tried on a mutant, and in which order.

/**
 * The test files that run the mutant of this key, nearest first, as steps { file, tests, ms, hits }: the tests that are
 * run, how long the slowest takes, how often the mutant's code runs. All unit tests, and of the others up to `most`
 * files. Near is what has more words of its path in common with the mutated file's; then what runs less else; then what
 * is faster.
 */
export function nearestTests(key, coverage, most) {
  const words = wordsOf(key.slice(0, key.indexOf(' ')));
  const steps = [];
  for (const { file, ms, hooks, tests } of coverage) {
    const inHooks = hooks.get(key) ?? 0;
    const running = tests.filter(({ covered }) => inHooks > 0 || covered.has(key));
    if (running.length === 0) continue;
    steps.push({
      file,
      isUnit: file.startsWith('test/unit/'),
      common: wordsOf(file).filter((word) => words.includes(word)).length,
      isInTest: running.some(({ covered }) => covered.has(key)),
      breadth: hooks.size + Math.max(...running.map(({ covered }) => covered.size)),
      tests: running.map(({ name }) => name),
      ms,
      hits: inHooks + running.reduce((sum, { covered }) => sum + (covered.get(key) ?? 0), 0),
    });
  }
  steps.sort(
    (one, other) =>
      other.isUnit - one.isUnit ||
      other.isInTest - one.isInTest ||
      other.common - one.common ||
      one.breadth - other.breadth ||
      one.ms - other.ms,
  );
  const unit = steps.filter(({ isUnit }) => isUnit);
  return [...unit, ...steps.slice(unit.length, unit.length + most)];
}

/** `src/telegram/gramjs/login/code-login.ts` → ['src', 'telegram', 'gramjs', 'login', 'code', 'login', 'ts']. */
const wordsOf = (path) => [...new Set(path.split(/[/.-]/))];
