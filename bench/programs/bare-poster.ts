import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';

/**
 * undici and nothing around it. `POST /?url=&file=&inFlight=` posts each body of a file (a JSON array of texts) to a URL, so
 * many at a time, and answers when all have been answered.
 */
const agent = new Agent();
/** As many and as long as a delivery has. */
const headers = {
  'user-agent': 'telegram-session-gateway',
  'content-type': 'application/json',
  'x-token': 'token',
  'webhook-id': '01a1fda8-aa9c-73c0-a9f9-5b8950b3bf8c',
  'webhook-timestamp': '1795000000',
  'webhook-signature': `v1,${'x'.repeat(44)}`,
};

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://bench').searchParams;
  const bodies = JSON.parse(readFileSync(query.get('file') ?? '', 'utf8')) as string[];
  postAll(new URL(query.get('url') ?? ''), bodies, Number(query.get('inFlight'))).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

async function postAll({ origin, pathname: path }: URL, bodies: readonly string[], inFlight: number): Promise<void> {
  let next = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const answer = await agent.request({ origin, path, method: 'POST', headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, oneAfterTheOther));
}
