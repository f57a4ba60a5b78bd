// Vitest's runner, inside the process that runs the tests. It runs the file that Vitest was started with, and then what
// the plan says: test files of its choice, with one mutant active or none, as often as wanted. What the tests import
// is loaded once.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTests } from '@vitest/runner';
import { TestRunner } from 'vitest';

/** How long a test or hook may take while it is measured. */
const longestMs = 120_000;
/** How long with a mutant, however fast it is without: the machine may be busy. */
const shortestTimeoutMs = 20_000;
/** How many times longer than without a mutant. */
const timeoutFactor = 8;
/** How many times more often than without a mutant the mutated code may run. */
const hitFactor = 100;

/** What the mutated code reads and writes. It keeps the object of its coverage, which is therefore never another one. */
globalThis.__stryker__ ??= {};
const mutation = globalThis.__stryker__;
mutation.mutantCoverage ??= { static: {}, perTest: {} };

// oxlint-disable-next-line import/no-default-export -- Vitest takes no other
export default class NearRunner extends TestRunner {
  // oxlint-disable-next-line typescript/no-misused-promises -- Vitest awaits it
  async onAfterRunFiles(files) {
    super.onAfterRunFiles(files);
    const folder = process.env.MUTATION_FOLDER;
    const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
    const say = (line) => appendFileSync(join(folder, 'results.jsonl'), `${JSON.stringify(line)}\n`);
    const tests = new Tests(this);
    if (plan.collect) await collect(plan.collect, tests, say);
    else await tryMutants(plan.mutants, tests, say);
    say({ done: true });
  }
}

/** Says for each file which mutants its hooks and each of its tests run, and how long they take. */
async function collect(files, tests, say) {
  for (const file of files) {
    say({ at: file });
    Object.assign(mutation.mutantCoverage, { static: {}, perTest: {} });
    const started = performance.now();
    const { failed, times } = await tests.run(file, { ms: longestMs / timeoutFactor });
    const coverage = mutation.mutantCoverage;
    say({
      file,
      failed,
      ms: performance.now() - started,
      loading: Object.keys(coverage.static),
      hooks: coverage.perTest[''] ?? {},
      tests: [...times].map(([name, ms]) => ({ name, ms, covered: coverage.perTest[name] ?? {} })),
    });
  }
}

/**
 * Tries each mutant's tests until one fails, and says 'Killed' or 'Timeout' once the same tests have passed without mutants:
 * together with those of the next mutants that begin with the same file. If they do not pass, the process is spoilt, or a
 * test fails by itself: a new process tries these mutants one by one, as `careful`.
 */
async function tryMutants(mutants, tests, say) {
  let unproven = [];
  const isProven = async () => {
    const kills = unproven;
    unproven = [];
    for (const file of new Set(kills.map((kill) => kill.file))) {
      const failed = kills.filter((kill) => kill.file === file).map((kill) => kill.failed);
      if ((await tests.run(file, { tests: failed })).failed === undefined) continue;
      say({ restart: true, careful: kills.map(({ id }) => id) });
      return false;
    }
    for (const { id, status, file, failed } of kills) say({ id, status, killedBy: `${file} ${failed}`, unusable: [] });
    return true;
  };
  for (const [index, { id, steps, careful }] of mutants.entries()) {
    const before = mutants[index - 1]?.steps[0].file;
    if (steps[0].file !== before && !(await isProven())) return;
    const unusable = [];
    let kill;
    for (const step of steps) {
      say({ id, at: step.file });
      const alone = careful ? await tests.run(step.file, step) : {};
      if (alone.failed !== undefined) {
        unusable.push(`${step.file} ${alone.failed}`);
        continue;
      }
      const { failed, isTimeout } = await tests.run(step.file, { ...step, mutant: id });
      if (failed === undefined) continue;
      // A hook has failed, and any test needs it.
      kill = { id, status: isTimeout ? 'Timeout' : 'Killed', file: step.file, failed: failed || step.tests?.[0] };
      break;
    }
    if (careful) {
      say({ id, status: kill?.status ?? 'Survived', killedBy: kill && `${kill.file} ${kill.failed}`, unusable });
      const isSpoilt = kill && (await tests.run(kill.file, { tests: [kill.failed] })).failed !== undefined;
      if (isSpoilt) return say({ restart: true });
    } else if (kill === undefined) say({ id, status: 'Survived', unusable });
    else unproven.push(kill);
  }
  await isProven();
}

/** Runs test files, once Vitest is done with its own. */
class Tests {
  #runner;
  constructor(runner) {
    this.#runner = runner;
  }

  /**
   * Runs the tests of `file` that are named (or all), up to the first that fails. `failed` is its name, '' for a hook.
   * `times` has the milliseconds of each test that ran, by name.
   */
  async run(file, { tests, mutant, ms = 0, hits = 0 } = {}) {
    const path = join(this.#runner.config.root, file);
    const { evaluatedModules } = this.#runner.workerState;
    for (const module of evaluatedModules.fileToModulesMap.get(path) ?? []) evaluatedModules.invalidateModule(module);
    const times = new Map();
    let failed;
    let errors = [];
    const wanted = tests && new Set(tests);
    const timeout = Math.max(shortestTimeoutMs, timeoutFactor * ms);
    const quiet = Object.create(this.#runner, {
      config: { value: { ...this.#runner.config, testTimeout: timeout, hookTimeout: timeout } },
      cancel: { value: undefined, writable: true },
    });
    // Vitest's own process hears nothing of it.
    Object.assign(quiet, { onCollectStart() {}, onTaskUpdate() {}, onAfterRunFiles() {} });
    quiet.onCollected = () => {
      // What runs when a file is loaded is not mutated: it would stay so.
      mutation.currentTestId = '';
      mutation.activeMutant = mutant;
      mutation.hitCount = 0;
      mutation.hitLimit = hits === 0 ? Number.POSITIVE_INFINITY : hitFactor * hits;
    };
    quiet.onBeforeRunTask = async (test) => {
      if (failed !== undefined || (wanted && !wanted.has(nameOf(test)))) test.mode = 'skip';
      await TestRunner.prototype.onBeforeRunTask.call(quiet, test);
    };
    quiet.onBeforeTryTask = (test) => {
      TestRunner.prototype.onBeforeTryTask.call(quiet, test);
      mutation.currentTestId = nameOf(test);
    };
    quiet.onAfterRunTask = (test) => {
      TestRunner.prototype.onAfterRunTask.call(quiet, test);
      mutation.currentTestId = '';
      if (test.mode === 'skip' || test.result === undefined) return;
      times.set(nameOf(test), (times.get(nameOf(test)) ?? 0) + (test.result.duration ?? 0));
      if (test.result.state !== 'fail') return;
      failed ??= nameOf(test);
      errors = [...errors, ...(test.result.errors ?? [])];
    };
    mutation.currentTestId = undefined;
    mutation.activeMutant = undefined;
    const [task] = await startTests([{ filepath: path }], quiet);
    mutation.activeMutant = undefined;
    mutation.currentTestId = undefined;
    for (const suite of suitesOf(task)) {
      if (suite.result?.state !== 'fail' || !suite.result.errors?.length) continue;
      failed ??= '';
      errors = [...errors, ...suite.result.errors];
    }
    const isTimeout = errors.some(({ message }) => /^(Test|Hook) timed out in|Hit count limit/.test(message ?? ''));
    return { failed, isTimeout, times };
  }
}

const suitesOf = (suite) => [suite, ...suite.tasks.filter(({ type }) => type === 'suite').flatMap(suitesOf)];

const nameOf = (task) => (task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name);
