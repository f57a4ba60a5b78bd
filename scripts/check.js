// Everything that can be said of the code without running it: types, lint, format, dead code, import rules.
import { spawn } from 'node:child_process';

const checks = {
  // The compiler's errors too, of each file by its nearest tsconfig.json: what takes the time is to find the types, and
  // the rules need them as well.
  'types, lint': ['oxlint', ['--type-aware', '--type-check', '--deny-warnings']],
  // Its generated files are not linted.
  'types of the TypeScript client': ['tsc', ['-p', 'clients/typescript/tsconfig.json']],
  format: ['biome', ['ci', '--colors=off', '--error-on-warnings', '.']],
  'dead code': ['knip', ['--no-progress']],
  imports: ['vitest', ['run', '--reporter=dot', 'test/unit/repository/import-']],
};

/** Runs one tool of node_modules/.bin (npm puts it on the PATH) and resolves with its exit code and output. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

const started = Date.now();
const codes = await Promise.all(
  Object.entries(checks).map(async ([name, [command, args]]) => {
    const { code, output } = await run(command, args);
    // At once: a check that is stopped before its end has said what it knows.
    console.log(`${code === 0 ? 'ok   ' : 'FAIL '} ${name}`);
    if (code !== 0) console.log(output);
    return code;
  }),
);
console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
process.exit(codes.every((code) => code === 0) ? 0 : 1);
