import { connect } from 'node:net';

/** HTTP byte by byte, as it stands on the wire. */

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends bytes as they are, and reads the first answer, as long as it says it is. */
export function exchange(url: string, bytes: Buffer | string, localAddress = '127.0.0.1'): Promise<RawAnswer> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received);
      if (answer === undefined) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on('end', () => reject(new Error(`ended after ${JSON.stringify(received.toString())}`)));
    socket.on('error', reject);
  });
}

function parse(received: Buffer): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const text = received.subarray(end + 4);
  if (text.length < Number(headers['content-length'])) return undefined;
  return { status: Number(line.split(' ')[1]), headers, text: text.toString() };
}

/** A request by hand: what is given, and a host. */
export function bytesOf(line: string, headers: Record<string, string> = {}, body: Buffer | string = ''): Buffer {
  const length = Buffer.byteLength(body);
  const all = { host: 'localhost', ...(length === 0 ? {} : { 'content-length': String(length) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), Buffer.from(body)]);
}

/** HEAD: an answer without the body whose length it tells. */
export async function fetchHead(url: string): Promise<Pick<RawAnswer, 'status' | 'headers'>> {
  const response = await fetch(url, { method: 'HEAD' });
  return { status: response.status, headers: Object.fromEntries(response.headers) };
}
