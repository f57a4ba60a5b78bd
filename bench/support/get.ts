import { Agent, request } from 'node:http';
import { repeat } from './repeat.ts';

/** One connection, kept alive as a client's is. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads a response to its end and drops it. @returns its bytes and the milliseconds it took. @throws Error it is not 200 */
export function get(url: string, headers: Record<string, string>): Promise<{ bytes: number; ms: number }> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ bytes, ms: performance.now() - begun });
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end();
  });
}

/** Requests a URL `count` times in sequence. @returns the milliseconds of each request */
export function getTimes(url: string, headers: Record<string, string>, count: number): Promise<number[]> {
  return repeat(count, 1, async () => (await get(url, headers)).ms);
}
