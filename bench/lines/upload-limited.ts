import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { report } from '../measurement.ts';
import { cara } from '../support/accounts.ts';
import { jsonCall } from '../support/json-call.ts';
import { logIn, withLiveGateway } from '../support/live-gateway.ts';

/** A document through a free account, while the sandbox limits how many parts such an account may upload. */
const partBytes = 512 * 1024;
const parts = 60;
/** The sandbox's limit: 20 parts at once, then one a second (docs/sandbox.md). */
const allowedSeconds = parts - 20;

const document = randomBytes(parts * partBytes);
const files = createServer((_request, response) => response.end(document));
await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/`;
try {
  const seconds = await withLiveGateway(
    async (live) => {
      const headers = await logIn(live, cara);
      const given = { url, name: 'document.bin', size: document.length, mimetype: 'application/octet-stream' };
      const begun = performance.now();
      await jsonCall('POST', `${live.gateway.url}/message`, {
        headers,
        body: { username: 'bob', type: 'document', document: given },
      });
      return (performance.now() - begun) / 1_000;
    },
    { ALLOW_PRIVATE_URLS: 'true' },
    { SANDBOX_RATE_LIMITS: 'true' },
  );
  report([
    {
      line: '30 MB document of a free account: time ÷ what its budget at Telegram allows',
      value: seconds / allowedSeconds,
      unit: '×',
      bar: { atMost: 1.1 },
      detail: `${seconds.toFixed(1)} s against ${allowedSeconds} s for ${parts} parts, 20 at once and then one a second`,
    },
  ]);
} finally {
  files.close();
}
