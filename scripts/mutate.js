// How many changes of the code its own tests notice (docs/testing.md, "Mutation").
//   npm run mutate -- src/webhook                    draws 250 mutants of the folder, prints a score and the survivors
//   npm run mutate -- src/webhook --seed 7           the same mutants again
//   npm run mutate -- src/telegram --unit            with the unit tests alone: a first look
//   npm run mutate -- src/telegram --tests near      each mutant with the test files that are nearest to it, end-to-end
//                                                    tests too; --most 12 of them beside the unit tests
//   npm run mutate -- src/telegram/gramjs/people --tests test/e2e/people
//                                                    with these tests, beside the folder's own unit tests
//   npm run mutate -- src/webhook/deliver/rewind.ts  all mutants of a file; with :19 or :19-30 those of its lines
//                                                    (several may be given, such as those of the survivors)
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { drawMutants } from './mutation/draw-mutants.js';
import { tryNear } from './mutation/near/try-near.js';

/** The folders, and whose tests have to notice: those of these places under test/unit and test/integration. */
const folders = {
  actors: ['actors', 'chart'],
  projections: ['projections'],
  // The database of the views is tried with the projection.
  'src/store': ['store', 'projections'],
  'src/webhook': ['webhook'],
  'src/media/links': ['media/links'],
  'src/messaging': ['messaging'],
  'src/telegram': ['telegram'],
};

/** Places in test/e2e whose tests are tried too with `--tests near`: the shortest that come to all parts of the folder. */
const endToEnd = {
  'src/telegram': [
    'administration',
    'channel/channel-messages.test.ts',
    ...['chats', 'messages', 'settings', 'topics'].map((name) => `chat/${name}.test.ts`),
    'group/group.test.ts',
    ...['album', 'scheduled', 'send-cut-off', 'actions/message-actions', 'actions/votes'].map(
      (name) => `message/${name}.test.ts`,
    ),
    'people/account.test.ts',
    ...['account', 'customer-links', 'login-by-code', 'lost-logins'].map((name) => `session/${name}.test.ts`),
    ...['bot-events', 'chat-events', 'groups', 'updates'].map((name) => `webhook/${name}.test.ts`),
  ],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '250' },
    unit: { type: 'boolean' },
    tests: { type: 'string', multiple: true },
    most: { type: 'string', default: '6' },
  },
});
const targets = positionals.map((target) => {
  const [path, lines] = target.split(':');
  const folder = Object.keys(folders).find((name) => path === name || path.startsWith(`${name}/`));
  return { path, lines, folder };
});
const isNear = values.tests?.includes('near') === true;
const mutated = new Set(targets.map(({ folder }) => folder));
if (targets.length === 0 || mutated.has(undefined) || (isNear && mutated.size > 1)) {
  console.error(
    `usage: npm run mutate -- FOLDER|FILE[:LINE[-LINE]] … [--unit] [--tests FOLDER|FILE|near …] [--seed N] [--count N] [--most N]`,
  );
  console.error(`in: ${Object.keys(folders).join(', ')}`);
  process.exit(2);
}
const name = positionals.join(' ');

const mutate = [];
for (const target of targets) mutate.push(...(await choose(target)));
report(isNear ? await runNear() : await runStryker());

/** For one folder. */
function runNear() {
  const [{ folder }] = targets;
  const own = folders[folder].flatMap((room) => [`test/unit/${room}`, `test/integration/${room}`]);
  const others = (endToEnd[folder] ?? []).map((place) => `test/e2e/${place}`);
  const given = values.tests.filter((place) => place !== 'near');
  const testPlaces = [...own, ...others, ...given].filter((place) => existsSync(place));
  return tryNear({ folder, ranges: mutate, testPlaces, most: Number(values.most) });
}

function runStryker() {
  return new Stryker({
    mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    testFiles: testsOf(targets),
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation/ignore-texts.js'],
    ignorers: ['texts'],
    // What only the loading of a file runs would need all tests again for each mutant.
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: 1,
    // Stryker would rewrite it with TypeScript's own library, which version 7 has not.
    tsconfigFile: 'none',
    ignorePatterns: ['dist', 'data', 'docs/images'],
    tempDirName: join(tmpdir(), `mutation-${process.pid}`),
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    allowEmpty: true,
  }).runMutationTest();
}

/** The tests that have to notice, as patterns. */
function testsOf(of) {
  const own = of
    .flatMap(({ folder }) => folders[folder])
    .flatMap((room) => [
      `test/unit/${room}`,
      ...(values.unit || values.tests !== undefined ? [] : [`test/integration/${room}`]),
    ]);
  return [...new Set([...own, ...(values.tests ?? [])])]
    .filter((path) => existsSync(path))
    .map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
}

/** What of a target is mutated, as Stryker's patterns. Says how it was chosen. */
async function choose({ path, lines }) {
  if (statSync(path).isFile()) {
    const [first, last = first] = lines?.split('-') ?? [];
    return [lines === undefined ? path : `${path}:${first}-${last}`];
  }
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(path, file))
    .toSorted();
  const { ranges, drawn, all } = await drawMutants(files, { seed: values.seed, count: Number(values.count) });
  console.log(`${path}: ${drawn} of ${all} mutants, --seed ${values.seed}`);
  return ranges;
}

/** The survivors, as FILE:LINE:COLUMN and what was put in place of what; then the score. */
function report(mutants) {
  const of = (...statuses) => mutants.filter(({ status }) => statuses.includes(status));
  const survivors = of('Survived', 'NoCoverage');
  for (const mutant of survivors) {
    const { fileName, location, status, replacement, mutatorName } = mutant;
    const place = `${relative('.', fileName)}:${location.start.line}:${location.start.column}`;
    const untested = status === 'NoCoverage' ? ' (no test comes here)' : '';
    console.log(`${place} ${mutatorName}${untested}: ${shorten(originalOf(mutant))} → ${shorten(replacement)}`);
  }
  const killed = of('Killed', 'Timeout');
  const score = ((100 * killed.length) / (killed.length + survivors.length)).toFixed(1);
  const left = mutants.length - killed.length - survivors.length;
  console.log(`${name}: ${score} % (${killed.length} noticed, ${survivors.length} survived, ${left} not run)`);
}

function originalOf({ fileName, location: { start, end } }) {
  const text = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  text.push(text.pop().slice(0, end.column - 1));
  return text.join('\n').slice(start.column - 1);
}

function shorten(code) {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
