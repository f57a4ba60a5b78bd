import { once } from 'node:events';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../actors/session/transition-event.ts';
import { systemClock, systemRandomness } from '../../../../src/config/clock.ts';
import { lockDataDir } from '../../../../src/store/data-dir-lock.ts';
import { openSqliteReader, openSqliteStore } from '../../../../src/store/events/sqlite/sqlite-store.ts';
import { copyMarkStream } from '../../../../src/store/tools/copy-mark.ts';
import { differences, fingerprint } from '../../../../src/store/tools/fingerprint.ts';
import { surveyStore } from '../../../../src/store/tools/survey.ts';
import { createHistory, fillWithSessions } from '../../../support/actors/session-histories.ts';
import { runCommandLine, startCommandLine } from '../../../support/gateway/command-line.ts';
import { runProgram } from '../../../support/gateway/program.ts';
import { createSeededRandomness } from '../../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { plantInSqlite } from '../../../support/store/plant-event.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

afterEach(async () => {
  await folder.remove();
});

const file = (name: string): string => join(folder.path, name);
const open = (name: string) => openSqliteStore({ file: file(name), clock: systemClock });

async function fill(name: string, sessions: number, events: number): Promise<void> {
  const store = open(name);
  const randomness = createSeededRandomness(11, systemClock);
  await fillWithSessions(store, { sessions, events, randomness, clock: systemClock });
  await store.close();
}

describe('npm run replay', () => {
  it('[AD6.1] looks at the store of the configuration while a gateway holds and writes it', async () => {
    const store = open('events.db');
    const lock = lockDataDir(folder.path, 'the gateway');
    const randomness = createSeededRandomness(12, systemClock);
    await fillWithSessions(store, { sessions: 10, events: 500, randomness, clock: systemClock });
    const { code, output } = await runCommandLine('replay', [], { DATA_DIR: folder.path });
    expect(output).toMatch(/490 events of 10 sessions, no drift/);
    expect(code).toBe(0);
    // Nothing of it is in the gateway's way: erasing needs the file to itself.
    await store.erase('vault-x');
    await store.close();
    lock.release();
  });

  it('[AD6.2] exits with 1 and names the place where the log and the chart differ', async () => {
    const history = createHistory(createSeededRandomness(4, systemClock), 0);
    const events = Array.from({ length: 5 }, () => history.next() as SessionEvent);
    (events[3] as SessionEvent).metadata.reason = 'weather';
    const store = open('drifted.db');
    await store.append('session-a', 'no-stream', events);
    await store.close();
    const { code, output } = await runCommandLine('replay', ['--store', `sqlite:${file('drifted.db')}`]);
    expect(code).toBe(1);
    expect(output).toMatch(/^session-a 3 \w+: reason was recorded as "weather"/m);
  });

  it('[FA7.5] exits with 1 and names the events that it cannot read', async () => {
    const history = createHistory(createSeededRandomness(4, systemClock), 0);
    const store = open('foreign.db');
    await store.append(
      'session-a',
      'no-stream',
      Array.from({ length: 5 }, () => history.next() as SessionEvent),
    );
    await store.close();
    plantInSqlite(file('foreign.db'), 'session-a', { type: 'LoggedIn', data: '{"phone":"+49', metadata: '{}' });
    plantInSqlite(file('foreign.db'), 'vault-of-another', { type: 'SecretStored', data: '{}', metadata: '{}' });
    const { code, output } = await runCommandLine('replay', ['--store', `sqlite:${file('foreign.db')}`]);
    expect(code).toBe(1);
    expect(output).toMatch(/^session-a 5: cannot be read \(broken-json\)$/m);
    expect(output).toMatch(/^vault-of-another 0: cannot be read \(unknown-type\)$/m);
    expect(output).toMatch(/5 events of 1 sessions, no drift, 2 events cannot be read/);
    expect(output).not.toContain('+49');
  });

  it('[FA3.3] exits with 1 and says what is wrong with a damaged file', async () => {
    await fill('damaged.db', 5, 100);
    const database = new Libsql(file('damaged.db'));
    database.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET name = 'of_ids', sql = 'CREATE INDEX of_ids ON events (type)'
        WHERE name = 'sqlite_autoindex_events_1'`);
    database.close();
    const { code, output } = await runCommandLine('replay', ['--store', `sqlite:${file('damaged.db')}`]);
    expect(code).toBe(1);
    expect(output).toMatch(/damaged\.db is damaged: .+$/m);
    expect(output).toMatch(/no drift, the file is damaged/);
  });

  it('[FA3.4] exits with 1 and names an event that has changed on the disk', async () => {
    await fill('flipped.db', 5, 100);
    const database = new Libsql(file('flipped.db'));
    database.exec(`UPDATE events SET created = created + 1 WHERE pos = 7`);
    database.close();
    const { code, output } = await runCommandLine('replay', ['--store', `sqlite:${file('flipped.db')}`]);
    expect(code).toBe(1);
    expect(output).toMatch(/^\S+ \d+: cannot be read \(wrong-checksum\)$/m);
    expect(output).toMatch(/1 events cannot be read/);
  });

  it('[AD6.2] exits with 2 and a sentence where it cannot look, and makes no file', async () => {
    const missing = await runCommandLine('replay', ['--store', `sqlite:${file('none.db')}`]);
    expect(missing).toEqual({ code: 2, output: `there is no file ${file('none.db')}\n` });
    const odd = await runCommandLine('replay', ['--store', 'postgres://admin:m4rker@db']);
    expect(odd.code).toBe(2);
    expect(odd.output).toMatch(/^an event store is named by sqlite:path/);
    expect(odd.output).not.toContain('m4rker');
  });
});

describe('npm run copy', () => {
  it('[OP4.2] survives kill -9 again and again, and is the same in the end', async () => {
    await fill('from.db', 400, 12_000);
    const args = ['--from', `sqlite:${file('from.db')}`, '--to', `sqlite:${file('to.db')}`];
    let killed = 0;
    for (const share of [0.1, 0.4, 0.7]) {
      const child = await startCommandLine('copy', args);
      const ended = once(child, 'exit');
      await grownTo(12_000 * share);
      if (child.exitCode === null) killed += 1;
      child.kill('SIGKILL');
      await ended;
    }
    expect(killed).toBeGreaterThan(0);
    const { code, output } = await runCommandLine('copy', args);
    expect(output).toMatch(/12,000 events in 800 streams, [\d,]+ copied now, every stream compared and the same/);
    expect(code).toBe(0);
    const [source, copy] = await Promise.all(
      ['from.db', 'to.db'].map(async (name) => {
        const store = openSqliteReader(file(name));
        const print = await fingerprint(store, await surveyStore(store), () => {});
        await store.close();
        return print;
      }),
    );
    expect(source && copy && differences(source, copy)).toEqual([]);
    expect((await runCommandLine('replay', ['--store', `sqlite:${file('to.db')}`])).code).toBe(0);
  });

  /** Resolves when so many events have arrived, or the copy is finished. */
  async function grownTo(events: number): Promise<void> {
    for (;;) {
      const count = await countCopied();
      if (count === undefined || count >= events) return;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  async function countCopied(): Promise<number | undefined> {
    try {
      const store = openSqliteReader(file('to.db'));
      try {
        let count = 0;
        let marked = false;
        for await (const { stream, revision } of store.lastOfEach('')) {
          count += revision + 1;
          marked ||= stream === copyMarkStream;
        }
        return marked || count === 0 ? count : undefined;
      } finally {
        await store.close();
      }
    } catch {
      return 0;
    }
  }

  it('[OP2.1] waits for the gateway to be stopped', async () => {
    await fill('events.db', 1, 5);
    const lock = lockDataDir(folder.path, 'process 12 on example');
    const args = ['--from', `sqlite:${file('events.db')}`, '--to', `sqlite:${file('b/events.db')}`];
    const refused = await runCommandLine('copy', args);
    expect(refused).toEqual({ code: 2, output: `${folder.path} is in use by process 12 on example\n` });
    lock.release();
    expect((await runCommandLine('copy', args)).code).toBe(0);
  });

  it('[OP4.3] says what is missing or wrong, and never a password', async () => {
    expect((await runCommandLine('copy', ['--from', 'sqlite:a.db'])).output).toMatch(
      /^error: required option '--to <url>' not specified\n$/,
    );
    const secret = 'kurrentdb://admin:m4rker@127.0.0.1:9?tls=false';
    const same = await runCommandLine('copy', ['--from', secret, '--to', 'kurrentdb://other:m4rker@127.0.0.1:9']);
    expect(same).toEqual({ code: 2, output: 'the source and the target are the same store\n' });
  });

  it('[OP4.3] keeps a gateway from starting on half a copy', async () => {
    const store = open('events.db');
    const event = { id: systemRandomness.uuid(), type: 'StoreCopyBegun', data: { source: 'sqlite:a' }, metadata: {} };
    await store.append(copyMarkStream, 'any', [event]);
    await store.close();
    const environment = { DATA_DIR: folder.path, TELEGRAM_API_ID: '1', TELEGRAM_API_HASH: 'x', LOG_LEVEL: 'silent' };
    const { code, output } = await runProgram(environment);
    expect(output).toBe(
      'the event store holds a copy of sqlite:a that was begun and not finished: run npm run copy again\n',
    );
    expect(code).toBe(1);
  });
});
