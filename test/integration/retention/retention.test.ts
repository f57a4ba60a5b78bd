import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type SessionFact, type SessionState, sessionStream } from '../../../actors/session/events.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openSqliteReader, openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { startTestGateway } from '../../support/gateway/gateway.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { startTestSandbox } from '../../support/sandbox/sandbox.ts';

const dayMs = 24 * 60 * 60 * 1000;

it('[OP3.1] a gateway prunes at its start what was deleted long enough ago', async () => {
  const folder = await createTemporaryFolder();
  onTestFinished(folder.remove);
  const sandbox = await startTestSandbox();
  onTestFinished(() => sandbox.close());
  const file = join(folder.path, 'events.db');
  const store = openSqliteStore({ file, clock: systemClock });
  const record = (id: string, fact: SessionFact, to: SessionState, at: number): Promise<unknown> =>
    store.append(sessionStream(id), 'any', [sessionEvent(systemRandomness.uuid(), fact, { to, at })]);
  const ages = { long: 2.1, short: 1.9 };
  for (const [id, days] of Object.entries(ages)) {
    const at = systemClock.now() - days * dayMs;
    await record(id, created, 'qrPending', at);
    await record(id, { type: 'SessionDeleted' }, 'deleted', at);
  }
  await store.close();

  const environment = { SESSION_RETENTION_DAYS: '2' };
  const gateway = await startTestGateway({ sandbox, dataDir: folder.path, environment });
  await gateway.started;
  // Waits for the step that has begun.
  await gateway.close();

  const reader = openSqliteReader(file);
  const left: string[] = [];
  for await (const { stream } of reader.lastOfEach('session-')) left.push(stream);
  await reader.close();
  expect(left).toEqual([sessionStream('short')]);
  const views = openViewDatabase(join(folder.path, 'views.db'));
  expect([views.get('long'), views.get('short')?.state]).toEqual([undefined, 'deleted']);
  views.close();
});
