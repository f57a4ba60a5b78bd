import { Agent, request } from 'node:http';

/** One connection that is kept, as a client has one. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads an answer to its end, and no more: bytes, and milliseconds that it took. @throws where it is not 200 */
export function get(url: string, headers: Record<string, string>): Promise<{ bytes: number; ms: number }> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ bytes, ms: performance.now() - begun });
        else reject(new Error(`${url} answers ${response.statusCode}`));
      });
      response.once('error', reject);
    });
    asked.once('error', reject);
    asked.end();
  });
}
