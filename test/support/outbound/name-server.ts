import { createSocket, type RemoteInfo } from 'node:dgram';

/** What a name has; a name that is not listed gets no answer at all, `[]` one that says there is no such name. */
type Records = Record<string, { a?: readonly string[]; aaaa?: readonly string[] } | []>;

export interface NameServer {
  /** With its port. */
  address: string;
  /** The names that were asked for, in their order, each once. */
  asked: string[];
  close(): Promise<void>;
}

const types = { a: 1, aaaa: 28 } as const;

/** A name server over UDP on loopback (RFC 1035). */
export async function startNameServer(records: Records): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = readQuestion(query);
    if (!asked.includes(name)) asked.push(name);
    const has = records[name];
    if (has !== undefined) socket.send(response(query.subarray(0, end), has, type), port, address);
  });
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        socket.close(() => resolve());
      }),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function response(query: Buffer, has: Exclude<Records[string], undefined>, type: number): Buffer {
  const isAbsent = Array.isArray(has);
  const { a = [], aaaa = [] } = isAbsent ? {} : has;
  const data = type === types.a ? a.map(fourBytes) : type === types.aaaa ? aaaa.map(sixteenBytes) : [];
  const header = Buffer.from(query);
  // An answer, recursion available; 3 is "no such name".
  header.writeUInt16BE(0x8180 | (isAbsent ? 3 : 0), 2);
  header.writeUInt16BE(data.length, 6);
  header.fill(0, 8, 12);
  return Buffer.concat([header, ...data.map((bytes) => answer(type, bytes))]);
}

/** The name is that of the question, at byte 12. */
function answer(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

const fourBytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

/** All eight groups are written out. */
const sixteenBytes = (address: string): Buffer =>
  Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
