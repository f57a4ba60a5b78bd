import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DiskCache } from '../../../src/media/links/disk-cache.ts';
import { startTestGateway } from '../../support/gateway/gateway.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startTestSandbox } from '../../support/sandbox/sandbox.ts';

it('[CL2.11] a start removes the media of a session that is not there any more', async () => {
  const { path: dataDir, remove } = await createTemporaryFolder();
  const sandbox = await startTestSandbox();
  const clock = createDrivenClock({ startAt: Date.now() });
  const folder = join(dataDir, 'media-cache');
  const log = { warn: () => undefined };
  const left = await DiskCache.open({ folder, maxBytes: 1_000, clock, log });
  await left.write('gone', 'a', Buffer.from('secret'));
  await left.close();
  expect(existsSync(join(folder, 'gone'))).toBe(true);

  const gateway = await startTestGateway({ sandbox, clock, dataDir });
  onTestFinished(async () => {
    await gateway.close();
    await sandbox.close();
    await remove();
  });
  await gateway.started;
  // The disk answers in its own time; without a removal the test never ends.
  while (existsSync(join(folder, 'gone'))) await clock.settle();
});
