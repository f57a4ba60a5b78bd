// Which tests run which mutants of a folder. It is measured once for each test file, and kept until that file changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { instrument } from './instrument.js';
import { runPlan } from './run-plan.js';

/**
 * Resolves with { loading, files }: the keys (instrument.js) of what runs when a file is loaded; and for each test file
 * that passes { ms, hooks, tests: [{ name, ms, covered }] }, where `hooks` and `covered` are Maps of keys to how often.
 */
export async function measureCoverage(folder, sources, testFiles) {
  const place = join('node_modules/.cache/mutation', `${folder.replaceAll('/', '-')}.json`);
  const kept = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : { keys: [], loading: [], files: {} };
  const isMeasured = (file) => kept.files[file]?.hash === hashOf(file);
  const wanted = testFiles.filter((file) => !isMeasured(file));
  if (wanted.length > 0) {
    console.log(`${wanted.length} of ${testFiles.length} test files are measured first`);
    await measure(wanted, await instrument(sources), kept, () => {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, JSON.stringify(kept));
    });
  }
  const counts = (pairs) => new Map(pairs.map(([index, count]) => [kept.keys[index], count]));
  const passing = testFiles.filter((file) => isMeasured(file) && kept.files[file].tests);
  return {
    loading: new Set(kept.loading.map((index) => kept.keys[index])),
    files: passing.map((file) => {
      const { ms, hooks, tests } = kept.files[file];
      return {
        file,
        ms,
        hooks: counts(hooks),
        tests: tests.map(({ name, ms: testMs, covered }) => ({ name, ms: testMs, covered: counts(covered) })),
      };
    }),
  };
}

async function measure(wanted, { sources, mutants }, kept, save) {
  const indexOfKey = new Map(kept.keys.map((key, index) => [key, index]));
  const keyOfId = new Map(mutants.map(({ id, key }) => [id, key]));
  const indexOf = (id) => {
    const key = keyOfId.get(id);
    if (!indexOfKey.has(key)) indexOfKey.set(key, kept.keys.push(key) - 1);
    return indexOfKey.get(key);
  };
  const pairs = (counts) => Object.entries(counts).map(([id, count]) => [indexOf(id), count]);
  const left = new Set(wanted);
  let at;
  await runPlan({
    sources,
    first: wanted[0],
    rest: () => (left.size === 0 ? undefined : { collect: [...left] }),
    onResult: (result) => {
      if (result.at !== undefined) at = result.at;
      if (result.hung) {
        console.log(`${at} ends the process and is left out`);
        left.delete(at);
      }
      if (result.file === undefined) return;
      const { file, failed, ms, loading, hooks, tests } = result;
      left.delete(file);
      if (failed !== undefined) console.log(`${file} fails and is left out: ${failed || 'a hook'}`);
      kept.loading = [...new Set([...kept.loading, ...loading.map(indexOf)])];
      const measured = {
        ms,
        hooks: pairs(hooks),
        tests: tests.map(({ name, ms: testMs, covered }) => ({ name, ms: testMs, covered: pairs(covered) })),
      };
      kept.files[file] = { hash: hashOf(file), ...(failed === undefined ? measured : {}) };
      save();
    },
  });
}

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
