// Runs a plan in a process of Vitest's, and in another one if it hangs or is spoilt.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A process that says nothing for so long hangs in a loop: longer than any test file takes. */
const longestSilenceMs = 300_000;
const lookEachMs = 200;

/**
 * `rest(results)` gives the plan that is left after these results, undefined if nothing is. `first` is the test file that
 * a process runs before its plan. Calls `onResult` with each line that the runner says (runner.js), and with
 * { hung: true } if it had to be ended.
 */
export async function runPlan({ sources, first, rest, onResult }) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(sources));
  try {
    for (let plan = rest(); plan !== undefined; plan = rest()) {
      writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
      writeFileSync(join(folder, 'results.jsonl'), '');
      await runOnce(folder, first, onResult);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runOnce(folder, first, onResult) {
  const log = openSync(join(folder, 'log'), 'w');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.near.config.ts', first];
  const env = { ...process.env, MUTATION_FOLDER: folder };
  // A group of its own, so that its processes end with it.
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = () => !hasEnded() && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  process.once('exit', end);
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  let seen = 0;
  let heardAt = performance.now();
  for (let isOver = false; !isOver; ) {
    await pause(lookEachMs);
    const wasEnded = hasEnded();
    const lines = readFileSync(join(folder, 'results.jsonl'), 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(seen)) {
      const result = JSON.parse(line);
      heardAt = performance.now();
      isOver ||= result.done === true || result.restart === true;
      onResult(result);
    }
    seen = lines.length;
    const isSilent = performance.now() - heardAt > longestSilenceMs;
    if (isOver || (!wasEnded && !isSilent)) continue;
    if (seen === 0) throw new Error(`Vitest did not begin:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
    isOver = true;
    onResult({ hung: true });
  }
  end();
  process.off('exit', end);
  await ended;
}
