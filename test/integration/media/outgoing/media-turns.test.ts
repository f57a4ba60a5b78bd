import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GateFullError } from '../../../../actors/kit/fair-gate.ts';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { createMediaSteps, type MediaSteps, type MediaStepsDeps } from '../../../../src/media/outgoing/media-steps.ts';
import type { Outbound } from '../../../../src/outbound/outbound.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

/** What a session may have waiting. */
const maxWaiting = 8;

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

/** The steps of a session, whose files are there at once and have room. */
function createSteps(deps: Partial<MediaStepsDeps>): (sessionId: string) => MediaSteps {
  const stepsOf = createMediaSteps({
    outbound: { download: (_url: string, path: string) => Promise.resolve({ path, size: 1 }) } as unknown as Outbound,
    uploads: { find: () => undefined, link: () => Promise.reject(new Error('no file was uploaded')) },
    clock: createDrivenClock(),
    programs: () => Promise.resolve({ ffmpeg: undefined, ffprobe: undefined }),
    maxBytes: 1,
    onUnreadable: () => {},
    ...deps,
  });
  const file = { announce: () => Promise.resolve(), write: () => Promise.resolve() };
  const room = { maxFileBytes: 1, file: () => file };
  return (sessionId) => stepsOf({ turn: { sessionId }, maxBytes: 1, room });
}

/**
 * Starts one piece of work more than a session may have, and returns when that one is refused: all others wait, or run.
 * @param running of these
 */
async function fill(running: number, what: string, work: () => Promise<unknown>): Promise<{ ended: Promise<unknown> }> {
  const outcomes = Array.from({ length: running + maxWaiting + 1 }, () => work().catch((error: unknown) => error));
  const refused = await Promise.race(outcomes);
  expect(refused).toBeInstanceOf(GateFullError);
  expect(refused).toMatchObject({ message: `too many ${what} of this session are waiting`, isOwnShare: true });
  return { ended: Promise.all(outcomes) };
}

it('[NB1.1] [NB1.2] pictures are made in turns of the sessions, and what one has waiting is bounded', async () => {
  const places = Math.min(availableParallelism(), 2);
  const begun: { path: string; made: Gate }[] = [];
  const stepsOf = createSteps({
    makePicture: async ({ target }) => {
      const made = createGate();
      begun.push({ path: target, made });
      await made.passed;
      return 1;
    },
  });
  const make = (session: string): Promise<unknown> =>
    stepsOf(session).fetchPicture({ url: 'http://x.test/' }, session, { maxSide: 1 }, new LightAbort());
  const ofA = await fill(places, 'pictures', () => make('a'));
  const ofB = await fill(0, 'pictures', () => make('b'));
  for (const { made } of begun) {
    made.open();
    await turn();
  }
  await Promise.all([ofA.ended, ofB.ended]);
  const waited = begun.slice(places).map(({ path }) => path);
  expect(waited.join('')).toBe('ab'.repeat(maxWaiting));
});

it('[NB1.1] [NB1.2] so run the programs for videos and sounds', async () => {
  const places = availableParallelism();
  const program = join(folder.path, 'program');
  // Leaves a file named after its process, with the words that it was started with, and does not end.
  const note = `echo "$*" > "${folder.path}/$$" && mv "${folder.path}/$$" "${folder.path}/$$.pid"`;
  writeFileSync(program, `#!/bin/sh\n${note}\nexec sleep 1000\n`);
  chmodSync(program, 0o755);
  const stepsOf = createSteps({ programs: () => Promise.resolve({ ffmpeg: undefined, ffprobe: program }) });
  const read = (session: string): Promise<unknown> =>
    stepsOf(session).probe(join(folder.path, `${session}.flac`), new LightAbort());
  for (const session of ['a', 'b']) writeFileSync(join(folder.path, `${session}.flac`), 'fLaC');
  const ofA = await fill(places, 'videos and sounds', () => read('a'));
  const ofB = await fill(0, 'videos and sounds', () => read('b'));
  const begun = new Map<string, string>();
  const hasBegun = (count: number): Promise<unknown> =>
    vi.waitUntil(
      () => {
        for (const name of readdirSync(folder.path).filter((other) => other.endsWith('.pid') && !begun.has(other))) {
          begun.set(name, /(\w)\.flac$/.exec(readFileSync(join(folder.path, name), 'utf8').trim())?.[1] ?? '');
        }
        return begun.size >= count;
      },
      { interval: 1, timeout: 600_000 },
    );
  await hasBegun(places);
  for (const name of begun.keys()) {
    const count = begun.size;
    process.kill(Number.parseInt(name, 10), 'SIGKILL');
    if (count < places + 2 * maxWaiting) await hasBegun(count + 1);
  }
  await Promise.all([ofA.ended, ofB.ended]);
  expect([...begun.values()].slice(places).join('')).toBe('ab'.repeat(maxWaiting));
});
