import { expect, it } from 'vitest';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { control } from '../../support/sandbox/control-client.ts';

it('the sandbox does not touch its folder if a port is in use', async () => {
  const folder = await createTemporaryFolder();
  const ports = { controlPort: 0, dcPort: 0, dataDir: folder.path };
  const first = await startSandbox(ports);
  const { port } = new URL(first.url);
  await expect(startSandbox({ ...ports, controlPort: Number(port) })).rejects.toThrow('EADDRINUSE');
  await control(first, 'POST', '/accounts/1001/messages', { peer: 1002, text: 'kept' });
  await first.close();
  const next = await startSandbox(ports);
  const { body } = await control(next, 'GET', '/accounts/1002/messages?peer=1001&limit=1');
  expect(body).toMatchObject([{ text: 'kept' }]);
  await next.close();
  await folder.remove();
});
