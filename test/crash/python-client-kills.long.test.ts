import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/clients/free-port.ts';
import {
  type PythonProgram,
  programFile,
  pythonWith,
  runWithSession,
  sessionOfAnn,
  startPython,
} from '../support/clients/python.ts';
import { killsOr, useKilling, withKillSeed } from '../support/crash/killing.ts';
import { addPerson, ann, pollMs, until } from '../support/crash/writing-people.ts';
import type { PreparedStart } from '../support/gateway/built-program.ts';

const kills = killsOr(10);
/** How long a gateway lives at most once it answers. */
const longestLifeMs = 1_000;
/** What is written to a reader between two kills. */
const textsALife = 10;

const port = String(await freePort());
const killing = useKilling(() => ({ PORT: port }));
const python = pythonWith() ?? '';
const withHttpx = pythonWith('httpx') ?? '';

/** What a test has started. */
let gateway: PreparedStart | undefined;
const programs = new Set<PythonProgram>();
afterEach(async () => {
  const running = gateway;
  gateway = undefined;
  await Promise.all([...programs].map((one) => one.end('SIGKILL')));
  programs.clear();
  if (running !== undefined) await killing.kill(running);
});

function start(interpreter: string, file: string, variables: Record<string, string>): PythonProgram {
  const started = startPython(interpreter, [programFile(file)], variables);
  programs.add(started);
  return started;
}

/** The first gateway and a session: what a program has to know of them. */
async function begin(): Promise<Record<string, string>> {
  gateway = killing.prepare();
  return sessionOfAnn(python, await gateway.run(), killing.sandbox.url);
}

/** Kills the gateway and starts the next one, so many times; each lives for as long as `live` takes. */
async function killAgain(times: number, live: (kill: number) => Promise<unknown>): Promise<void> {
  for (let kill = 0; kill < times; kill += 1) {
    const next = killing.prepare();
    await live(kill);
    if (gateway !== undefined) await killing.kill(gateway);
    gateway = next;
    await gateway.run();
  }
}

const texts = (running: PythonProgram, word: string): string[] =>
  [...running.output().matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, line = '']) => line);

describe.each([
  { way: 'blocking stdlib', index: 1, interpreter: python, kills },
  { way: 'async stdlib', index: 2, interpreter: python, kills },
  { way: 'blocking httpx', index: 3, interpreter: withHttpx, kills: 2 },
  { way: 'async httpx', index: 4, interpreter: withHttpx, kills: 2 },
])('the Python client, $way', ({ way, index, interpreter, kills: times }) => {
  /** The sandbox shows up to 1,000 messages of a chat. */
  const sends = Math.min(1_000, 100 * times);
  it.skipIf(interpreter === '')(`[PY1.9] sends ${sends} texts over ${times} kills: each arrives once`, () =>
    withKillSeed(async (chance) => {
      const person = await addPerson(killing.sandbox, index);
      const variables = await begin();
      const running = start(interpreter, 'thousand_sends.py', {
        ...variables,
        WAY: way,
        COUNT: String(sends),
        USERNAME: `writer${index}`,
      });
      const count = (): number => texts(running, 'sent').length;
      // Each life has its share of the sends, and ends at any moment of the next ones.
      await killAgain(times, async (kill) => {
        await Promise.race([until(() => count() > (kill * sends) / times), running.ended]);
        await pause(chance() * longestLifeMs);
      });
      expect({ code: await running.ended, output: running.output() }).toMatchObject({ code: 0 });
      const path = `/accounts/${ann}/messages?peer=${person}&limit=1000`;
      const messages = await killing.sandbox.call<{ id: number; text: string }[]>('GET', path);
      const arrived = messages.filter(({ text }) => text !== 'hello').map(({ id, text }) => `${text} ${id}`);
      expect(arrived.toSorted()).toEqual(texts(running, 'sent').toSorted());
      expect(new Set(arrived.map((line) => line.replace(/ \d+$/, ''))).size).toBe(sends);
    }),
  );
});

describe.skipIf(python === '')('readers of the Python client', () => {
  it(`[PY1.8] get each event once over ${kills} kills, and end with the session`, () =>
    withKillSeed(async (chance) => {
      const person = await addPerson(killing.sandbox, 9);
      const variables = await begin();
      const readers = ['blocking stream', 'blocking websocket', 'async stream', 'async websocket'].map((way) =>
        start(python, 'reading.py', { ...variables, WAY: way }),
      );
      const write = (text: string): Promise<unknown> =>
        killing.sandbox.call('POST', `/accounts/${person}/messages`, { peer: ann, text });
      // Each reader is there once it has got something: from then on nothing may be missing.
      for (let tries = 0; readers.some((reader) => texts(reader, 'came').length === 0); tries += 1) {
        await write(`hello ${tries}`);
        await pause(pollMs * 10);
      }
      const written: string[] = [];
      await killAgain(kills, async (kill) => {
        for (let index = 0; index < textsALife; index += 1) {
          written.push(`news ${kill} ${index}`);
          await write(`news ${kill} ${index}`);
          await pause((chance() * longestLifeMs) / textsALife);
        }
      });
      written.push('the end');
      await write('the end');
      await Promise.all(readers.map((reader) => reader.line(/^came \d+ the end$/m)));
      for (const reader of readers) {
        const came = texts(reader, 'came');
        const news = came.map((line) => line.replace(/^\d+ /, '')).filter((text) => !text.startsWith('hello'));
        expect(news).toEqual(written);
        const numbers = came.map((line) => Number.parseInt(line, 10));
        expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
      }
      await runWithSession(python, variables, 'session.delete()');
      expect(await Promise.all(readers.map((reader) => reader.ended))).toEqual([0, 0, 0, 0]);
      for (const reader of readers) expect(reader.output()).toContain('the stream has ended');
    }));
});
