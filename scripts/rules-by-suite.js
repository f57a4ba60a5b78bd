// Says which promises of docs/spec.md have tests, and in which suites. The title of a test begins with the promise's ID.
//   node scripts/rules-by-suite.js           prints the table
//   node scripts/rules-by-suite.js --write   writes it into docs/testing.md
//   node scripts/rules-by-suite.js --json    prints { documented, planned, proofs, table }
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const documents = ['docs/spec.md', 'docs/testing.md'];
const target = 'docs/testing.md';
const marks = { begin: '<!-- rules by suite: begin -->', end: '<!-- rules by suite: end -->' };

/** `[SE4]`, `[MS7.1]`, `[AD6a]`. */
const id = String.raw`[A-Z]{1,3}\d+[a-z]?(?:\.\d+)?`;
/** A text in quotes that begins with IDs: a title. */
const titles = new RegExp(String.raw`['"\`]((?:\[${id}\] ?)+)`, 'g');
/** A promise is an item of a list, `- SE4.1 …`; what docs/testing.md adds is the row of a table, `| ES1 | …`. */
const documentedIds = new RegExp(String.raw`^(?:- (${id}) |\| (${id}) \|)(.*)$`, 'gm');
const localImports = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.ts)'/g;

/** The IDs in the titles of a test file, and of the helpers with tests that it imports. */
function idsOf(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const own = [...text.matchAll(titles)].flatMap(([, group]) => group.match(new RegExp(id, 'g')));
  const imported = [...text.matchAll(localImports)]
    .map(([, path]) => normalize(join(dirname(file), path)))
    .filter((path) => path.startsWith('test/') && !path.endsWith('.test.ts'));
  return [...own, ...imported.flatMap((path) => idsOf(path, seen))];
}

function readDocuments() {
  const documented = [];
  const planned = [];
  for (const document of documents.filter((path) => existsSync(path))) {
    for (const [, item, row, text] of withoutTable(readFileSync(document, 'utf8')).matchAll(documentedIds)) {
      documented.push({ id: item ?? row, document });
      if (text.includes('*planned*')) planned.push(item ?? row);
    }
  }
  return { documented, planned };
}

const withoutTable = (text) => text.replace(new RegExp(`${marks.begin}.*${marks.end}`, 's'), '');

function readProofs() {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .toSorted();
  return files.flatMap((path) => {
    const suite = path.endsWith('.long.test.ts') ? 'long' : 'fast';
    const [level] = path.split('/');
    return [...new Set(idsOf(`test/${path}`))].map((rule) => ({ id: rule, suite, level, file: `test/${path}` }));
  });
}

const order = ['unit', 'integration', 'e2e', 'simulation', 'crash', 'browser'];

function tableOf(documented, proofs) {
  const levelsOf = (rule, suite) => {
    const levels = new Set(
      proofs.filter((proof) => proof.id === rule && proof.suite === suite).map(({ level }) => level),
    );
    return [...levels].toSorted((one, other) => order.indexOf(one) - order.indexOf(other)).join(', ');
  };
  const rows = documented
    .filter(({ document }) => document === 'docs/spec.md')
    .map(({ id: rule }) => `| ${rule} | ${levelsOf(rule, 'fast')} | ${levelsOf(rule, 'long')} |`);
  return ['| Promise | `npm test` | `npm run test:long` |', '|---|---|---|', ...rows].join('\n');
}

const { documented, planned } = readDocuments();
const proofs = readProofs();
const table = tableOf(documented, proofs);

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ documented, planned, proofs, table }));
} else if (process.argv.includes('--write')) {
  const text = readFileSync(target, 'utf8');
  const [before] = text.split(marks.begin);
  const [, after] = text.split(marks.end);
  writeFileSync(target, `${before}${marks.begin}\n${table}\n${marks.end}${after}`);
} else {
  console.log(table);
}
