import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { handleCommands, ready } from '../support/commands.ts';
import { repeat } from '../support/repeat.ts';

/** undici and nothing around it. */
const agent = new Agent();
/** As many headers as a delivery has, and as long. */
const headers = {
  'user-agent': 'telegram-session-gateway',
  'content-type': 'application/json',
  'x-token': 'token',
  'webhook-id': '01a1fda8-aa9c-73c0-a9f9-5b8950b3bf8c',
  'webhook-timestamp': '1795000000',
  'webhook-signature': `v1,${'x'.repeat(44)}`,
};

handleCommands({
  /** Posts each body of a file (a JSON array of texts) to a URL, up to `inFlight` at a time. */
  async post({ url, file, inFlight }: { url: string; file: string; inFlight: number }): Promise<void> {
    const bodies = JSON.parse(readFileSync(file, 'utf8')) as string[];
    const { origin, pathname: path } = new URL(url);
    await repeat(bodies.length, inFlight, async (index) => {
      const response = await agent.request({ origin, path, method: 'POST', headers, body: bodies[index] ?? '' });
      await response.body.dump();
    });
  },
});
ready();
